#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"

struct connection;

/* What a connection says and hears; all of it is called by the one thread there is. */
struct protocol {
  const char *name;
  /* The socket is connected. */
  void (*open)(struct connection *connection);
  /* Bytes came. Answers how many of them are done with; the rest comes again, in front of the next ones. */
  size_t (*receive)(struct connection *connection, const char *bytes, size_t length);
  /* Sends a message to the room. NULL: such connections only listen. */
  void (*send)(struct connection *connection, const char *text, size_t length);
  /* Every 20 seconds; NULL: nothing need be said. */
  void (*beat)(struct connection *connection);
};

struct bytes {
  char *at;
  size_t length;
  size_t capacity;
};

struct connection {
  int fd;
  const struct protocol *protocol;
  const struct participant *who;
  int number;
  /* The protocol's own: how far the handshake is. */
  int stage;
  bool is_ready;
  bool is_closed;
  bool is_receiving;
  struct bytes unread;
  struct bytes unsent;
  struct sender *sender; /* NULL for who only listens */
  uint32_t *last_heard;  /* of each sender of the room; NULL for who only sends */
};

/* Nanoseconds, as of the last bytes that came, or of the last waiting. */
extern int64_t now;
extern int64_t last_bytes_at;
extern int closed_connections;

void clock_read(void);

void connection_open(struct connection *connection, int port);

/* Sends at once what the socket takes, and the rest when it takes more; the answers to what came together, together. */
void connection_write(struct connection *connection, const char *bytes, size_t length);
__attribute__((format(printf, 2, 3))) void connection_print(struct connection *connection, const char *format, ...);

/* Waits at most so long, and serves every connection that something happened to. True: a line came from stdin. */
bool connections_serve(int timeout_ms);
