/* NATS: a subject. In core NATS, the echo acknowledges a message; a stream sends acknowledgements to the sender's inbox. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

enum { SUBJECT, INBOX };
enum { ROOM_SID = 1, INBOX_SID = 2 };

static size_t receive_message(struct connection *connection, const char *line, const char *end, size_t length);
static void receive_line(struct connection *connection, const char *line, size_t length);
static void greet(struct connection *connection);

/* Sends nothing: the server sends the first line. */
static void open_nats(struct connection *connection) {
  (void)connection;
}

static size_t receive(struct connection *connection, const char *bytes, size_t length) {
  size_t done = 0;
  for (;;) {
    const char *line = bytes + done;
    const char *end = memchr(line, '\n', length - done);
    if (end == NULL) return done;
    size_t size = (size_t)(end - line) + 1;
    if (memcmp(line, "MSG ", 4) == 0) size = receive_message(connection, line, end, length - done);
    else receive_line(connection, line, size);
    if (size == 0) return done;
    done += size;
  }
}

/* Handles MSG SUBJECT SID [REPLY] SIZE and the payload on the next line. Returns their size; 0 until all has arrived. */
static size_t receive_message(struct connection *connection, const char *line, const char *end, size_t length) {
  const char *last = memrchr(line, ' ', (size_t)(end - line));
  const char *sid = memchr(line + 4, ' ', (size_t)(end - line - 4));
  size_t size = (size_t)(end - line) + 1 + (size_t)atol(last + 1) + 2;
  if (size > length) return 0;
  const char *payload = end + 1;
  if (atoi(sid + 1) == ROOM_SID) {
    ledger_receive(connection, payload, size - (size_t)(payload - line), connection->who->arguments[INBOX] == NULL);
  } else {
    if (memmem(payload, size - (size_t)(payload - line), "\"error\"", 7) != NULL)
      fail("the stream refuses: %.*s", (int)size, line);
    ledger_acknowledge(connection->sender);
  }
  return size;
}

static void receive_line(struct connection *connection, const char *line, size_t length) {
  if (memcmp(line, "INFO", 4) == 0) {
    if (!connection->is_ready && connection->stage++ == 0) greet(connection);
  } else if (memcmp(line, "PING", 4) == 0) {
    connection_print(connection, "PONG\r\n");
  } else if (memcmp(line, "PONG", 4) == 0) {
    connection_ready(connection);
  } else if (line[0] == '-') {
    fail("connection %d is refused: %.*s", connection->number, (int)length, line);
  }
}

/* Ends with PING, which the server answers when it has handled everything before. */
static void greet(struct connection *connection) {
  const char *const *given = connection->who->arguments;
  connection_print(connection, "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n");
  if (connection->who->listens) connection_print(connection, "SUB %s %d\r\n", given[SUBJECT], ROOM_SID);
  if (given[INBOX] != NULL) connection_print(connection, "SUB %s %d\r\n", given[INBOX], INBOX_SID);
  connection_print(connection, "PING\r\n");
}

static void send_message(struct connection *connection, const char *text, size_t length) {
  const char *const *given = connection->who->arguments;
  const char *inbox = given[INBOX] == NULL ? "" : given[INBOX];
  connection_print(connection, "PUB %s %s %zu\r\n%.*s\r\n", given[SUBJECT], inbox, length, (int)length, text);
}

const struct protocol nats = {.name = "nats", .open = open_nats, .receive = receive, .send = send_message};
