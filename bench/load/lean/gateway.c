/* The gateway of Foyer, over WebSocket (RFC 6455): receives events, and sends only heartbeats. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

enum { UPGRADING, OPEN };
enum { TEXT = 1, CLOSE = 8, PING = 9, PONG = 10, FIN = 0x80, MASKED = 0x80 };

struct frame {
  int opcode;
  const char *payload;
  size_t length;
};

static size_t upgrade(struct connection *connection, const char *bytes, size_t length);
static size_t read_frame(struct frame *frame, const char *bytes, size_t length);
static void receive_frame(struct connection *connection, const struct frame *frame);
static void write_frame(struct connection *connection, int opcode, const char *payload, size_t length);

static void open_gateway(struct connection *connection) {
  connection_print(connection,
                   "GET /gateway?v=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: Zm95ZXIgYmVuY2htYXJrcw==\r\n\r\n");
}

static size_t receive(struct connection *connection, const char *bytes, size_t length) {
  size_t done = connection->stage == UPGRADING ? upgrade(connection, bytes, length) : 0;
  struct frame frame;
  while (connection->stage == OPEN) {
    size_t size = read_frame(&frame, bytes + done, length - done);
    if (size == 0) break;
    receive_frame(connection, &frame);
    done += size;
  }
  return done;
}

static size_t upgrade(struct connection *connection, const char *bytes, size_t length) {
  const char *end = memmem(bytes, length, "\r\n\r\n", 4);
  if (end == NULL) return 0;
  if (memmem(bytes, length, " 101 ", 5) == NULL) fail("the gateway refuses: %.*s", (int)(end - bytes), bytes);
  connection->stage = OPEN;
  return (size_t)(end - bytes) + 4;
}

/* Returns the size of the whole frame; 0 until all of it has arrived. */
static size_t read_frame(struct frame *frame, const char *bytes, size_t length) {
  const unsigned char *head = (const unsigned char *)bytes;
  if (length < 2) return 0;
  size_t size = head[1] & 0x7f;
  size_t start = size == 127 ? 10 : size == 126 ? 4 : 2;
  if (length < start) return 0;
  if (start > 2) size = 0;
  for (size_t index = 2; index < start; index += 1) size = size << 8 | head[index];
  if (length < start + size) return 0;
  *frame = (struct frame){.opcode = head[0] & 0x0f, .payload = bytes + start, .length = size};
  return start + size;
}

static void receive_frame(struct connection *connection, const struct frame *frame) {
  if (frame->opcode == CLOSE) fail("the gateway closes connection %d", connection->number);
  if (frame->opcode == PING) write_frame(connection, PONG, frame->payload, frame->length);
  if (frame->opcode != TEXT) return;
  if (connection->is_ready) {
    ledger_receive(connection, frame->payload, frame->length, false);
  } else if (memmem(frame->payload, frame->length, "\"op\":10", 7) != NULL) {
    char text[2048];
    const char *const *given = connection->who->arguments;
    int length = snprintf(text, sizeof text, "{\"op\":2,\"d\":{\"token\":\"%s\",\"session_token\":\"%s\"}}", given[0],
                          given[1]);
    write_frame(connection, TEXT, text, (size_t)length);
  } else if (memmem(frame->payload, frame->length, "\"t\":\"READY\"", 11) != NULL) {
    connection_ready(connection);
  }
}

/* Sends a frame whose mask is zero: clients must mask, and this mask leaves the text as it is. */
static void write_frame(struct connection *connection, int opcode, const char *payload, size_t length) {
  char frame[4096] = {0};
  size_t start = length < 126 ? 6 : 8;
  if (start + length > sizeof frame) fail("a frame is too long");
  frame[0] = (char)(FIN | opcode);
  frame[1] = (char)(MASKED | (length < 126 ? length : 126));
  if (length >= 126) frame[2] = (char)(length >> 8), frame[3] = (char)length;
  memcpy(frame + start, payload, length);
  connection_write(connection, frame, start + length);
}

static void beat(struct connection *connection) {
  static const char heartbeat[] = "{\"op\":1,\"d\":null}";
  write_frame(connection, TEXT, heartbeat, sizeof heartbeat - 1);
}

const struct protocol gateway = {.name = "gateway", .open = open_gateway, .receive = receive, .beat = beat};
