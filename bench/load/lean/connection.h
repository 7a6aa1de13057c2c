#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"

struct connection;

/* Callbacks of a protocol, all called by the only thread. */
struct protocol {
  const char *name;
  /* Called when the socket is connected. */
  void (*open)(struct connection *connection);
  /* Handles received bytes. Returns how many it has consumed; the rest is passed again with the next bytes. */
  size_t (*receive)(struct connection *connection, const char *bytes, size_t length);
  /* Sends a message to the room. NULL if connections of the protocol only listen. */
  void (*send)(struct connection *connection, const char *text, size_t length);
  /* Sends a heartbeat; called every 20 seconds. NULL if the protocol needs none. */
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
  /* State of the handshake, owned by the protocol. */
  int stage;
  bool is_ready;
  bool is_closed;
  bool is_receiving;
  struct bytes unread;
  struct bytes unsent;
  struct sender *sender; /* NULL for a connection that only listens */
  uint32_t *last_received;  /* last number received from each sender of the room; NULL for a connection that does not listen */
};

/* Times in nanoseconds, updated when bytes arrive or a wait ends. */
extern int64_t now;
extern int64_t last_bytes_at;
extern int closed_connections;

void clock_read(void);

void connection_open(struct connection *connection, int port);

/* Sends as much as the socket takes, and queues the rest. All answers to one read are sent together. */
void connection_write(struct connection *connection, const char *bytes, size_t length);
__attribute__((format(printf, 2, 3))) void connection_print(struct connection *connection, const char *format, ...);

/* Waits for at most this long, and serves active connections. Returns true if a line arrived on stdin. */
bool connections_serve(int timeout_ms);
