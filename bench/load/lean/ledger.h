#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"
#include "histogram.h"

/*
 * What became of every message. A message carries a tag, ~SSSS.NNNNNNNN~ in hexadecimal: who sent it, and the how
 * manieth of that sender it is. A listener has heard each message exactly when the numbers of each sender of its room go
 * up by one. Messages of one sender are acknowledged in the order they were sent.
 */
struct sender {
  int number;
  int place; /* among the senders of the room */
  int room;
  struct connection *connection;
  struct message *messages;
  uint32_t capacity;
  uint32_t sent;
  uint32_t acknowledged;
};

/* Since ledger_measure. */
struct figures {
  int64_t from;
  int64_t last_acknowledged;
  int64_t last_delivered;
  uint64_t messages;
  uint64_t deliveries;
  struct histogram acknowledgement; /* from sending to the acknowledgement */
  struct histogram last_listener;   /* from sending until the last listener has it */
};

/* Knows the connection's part in its room. All are added before the first message. */
void ledger_add(struct connection *connection);

/* Sends the sender's next message. */
void ledger_send(struct sender *sender);

/* The server has acknowledged the oldest message that was not. */
void ledger_acknowledge(struct sender *sender);

/*
 * Hears all messages in the bytes. Answers how many bytes are done with: a tag at the end may be incomplete. Who hears
 * an own message has its acknowledgement, where `echo_acknowledges`.
 */
size_t ledger_hear(struct connection *connection, const char *bytes, size_t length, bool echo_acknowledges);

/* From now on it counts, from zero. */
void ledger_measure(void);

const struct figures *ledger_figures(void);

/* Acknowledgements and deliveries that are still to come, and deliveries that came twice or not in their turn. */
int64_t ledger_missing(void);
uint64_t ledger_out_of_turn(void);

/* When one is acknowledged, the next is sent at once. */
void ledger_close_loop(bool is_closed);

struct sender *ledger_sender(int number);
int ledger_senders(void);
