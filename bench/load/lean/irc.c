/* IRC: a channel, and the capability echo-message, which makes the server echo messages to their sender. */
#define _GNU_SOURCE
#include <string.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

enum { NICK, CHANNEL };

static void receive_line(struct connection *connection, const char *line, size_t length);
static void receive_reply(struct connection *connection, const char *line, size_t length);
static bool is_reply(const char *line, size_t length, const char *number);

static void open_irc(struct connection *connection) {
  const char *nick = connection->who->arguments[NICK];
  if (connection->who->sends) connection_print(connection, "CAP REQ :echo-message\r\n");
  connection_print(connection, "NICK %s\r\nUSER %s 0 * :%s\r\n", nick, nick, nick);
  if (connection->who->sends) connection_print(connection, "CAP END\r\n");
}

static size_t receive(struct connection *connection, const char *bytes, size_t length) {
  size_t done = 0;
  const char *end;
  while ((end = memchr(bytes + done, '\n', length - done)) != NULL) {
    size_t size = (size_t)(end - bytes) + 1 - done;
    receive_line(connection, bytes + done, size);
    done += size;
  }
  return done;
}

static void receive_line(struct connection *connection, const char *line, size_t length) {
  if (length > 5 && memcmp(line, "PING ", 5) == 0)
    connection_print(connection, "PONG %.*s", (int)length - 5, line + 5);
  else if (length > 6 && memcmp(line, "ERROR ", 6) == 0)
    fail("connection %d is refused: %.*s", connection->number, (int)length, line);
  else if (connection->is_ready)
    ledger_receive(connection, line, length, true);
  else
    receive_reply(connection, line, length);
}

/* Handles the welcome, then the end of the channel's list of names. */
static void receive_reply(struct connection *connection, const char *line, size_t length) {
  const char *channel = connection->who->arguments[CHANNEL];
  if (is_reply(line, length, " 001 ")) {
    if (channel == NULL) connection_ready(connection);
    else connection_print(connection, "JOIN %s\r\n", channel);
  }
  if (is_reply(line, length, " 366 ")) connection_ready(connection);
  if (is_reply(line, length, " NAK ")) fail("the server has no echo-message");
}

/* Tests the word after the server's name. */
static bool is_reply(const char *line, size_t length, const char *word) {
  const char *blank = memchr(line, ' ', length);
  if (blank == NULL) return false;
  size_t left = length - (size_t)(blank - line);
  bool is_capability = left > 5 && memcmp(blank, " CAP ", 5) == 0;
  return is_capability ? memmem(blank, left, word, 5) != NULL : left > 5 && memcmp(blank, word, 5) == 0;
}

static void send_message(struct connection *connection, const char *text, size_t length) {
  connection_print(connection, "PRIVMSG %s :%.*s\r\n", connection->who->arguments[CHANNEL], (int)length, text);
}

const struct protocol irc = {.name = "irc", .open = open_irc, .receive = receive, .send = send_message};
