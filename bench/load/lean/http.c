/* Sends messages to Foyer: one HTTP/1.1 connection that stays open. The answer acknowledges the message. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

static size_t body_length(const char *head, const char *end);

static void open_http(struct connection *connection) {
  connection_ready(connection);
}

static size_t receive(struct connection *connection, const char *bytes, size_t length) {
  size_t done = 0;
  for (;;) {
    const char *head = bytes + done;
    const char *end = memmem(head, length - done, "\r\n\r\n", 4);
    if (end == NULL) return done;
    size_t size = (size_t)(end - head) + 4 + body_length(head, end);
    if (length - done < size) return done;
    if (memcmp(head, "HTTP/1.1 200", 12) != 0) fail("a message is refused: %.*s", (int)size, head);
    done += size;
    ledger_acknowledge(connection->sender);
  }
}

static size_t body_length(const char *head, const char *end) {
  static const char name[] = "\r\ncontent-length:";
  for (const char *at = head; (at = memmem(at, (size_t)(end - at), "\r\n", 2)) != NULL; at += 2) {
    if (strncasecmp(at, name, sizeof name - 1) == 0) return (size_t)atol(at + sizeof name - 1);
  }
  fail("an answer has no length: %.*s", (int)(end - head), head);
}

/* Sends a message with a new nonce, as all clients of Foyer do. A repeated nonce would count as a retry. */
static void send_message(struct connection *connection, const char *text, size_t length) {
  static int64_t run;
  if (run == 0) run = now;
  const char *const *given = connection->who->arguments;
  char body[512];
  int size = snprintf(body, sizeof body, "{\"content\":\"%.*s\",\"nonce\":\"%llx.%.13s\"}", (int)length, text,
                      (unsigned long long)run, text + 1);
  connection_print(connection,
                   "POST /api/rooms/%s/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
                   "X-Session-Token: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                   given[0], given[1], given[2], size, body);
}

const struct protocol http = {.name = "http", .open = open_http, .receive = receive, .send = send_message};
