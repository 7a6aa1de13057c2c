#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"
#include "histogram.h"

/*
 * Acknowledgements and deliveries of every message. A message carries a tag, ~SSSS.NNNNNNNN~ in hexadecimal: its sender,
 * and its number among the sender's messages. A listener received every message if the numbers of each sender of its room
 * go up by one. Messages of one sender are acknowledged in the order they were sent.
 */
struct sender {
  int number;
  int place; /* position among the senders of the room */
  int room;
  struct connection *connection;
  struct message *messages;
  uint32_t capacity;
  uint32_t sent;
  uint32_t acknowledged;
};

/* Counts since ledger_measure. */
struct figures {
  int64_t from;
  int64_t last_acknowledged;
  int64_t last_delivered;
  uint64_t messages;
  uint64_t deliveries;
  struct histogram acknowledgement; /* from sending to the acknowledgement */
  struct histogram last_listener;   /* from sending until the last listener has it */
};

/* Adds a connection to its room. All are added before the first message. */
void ledger_add(struct connection *connection);

/* Sends the sender's next message. */
void ledger_send(struct sender *sender);

/* Records the acknowledgement of the oldest message without one. */
void ledger_acknowledge(struct sender *sender);

/*
 * Records all messages in the bytes. Returns how many bytes were consumed: a tag at the end may be incomplete. With
 * `echo_acknowledges`, a connection's own message acknowledges itself.
 */
size_t ledger_receive(struct connection *connection, const char *bytes, size_t length, bool echo_acknowledges);

/* Starts the measurement, with all counts at zero. */
void ledger_measure(void);

const struct figures *ledger_figures(void);

/* Return the number of missing acknowledgements and deliveries, and of duplicate or reordered deliveries. */
int64_t ledger_missing(void);
uint64_t ledger_out_of_turn(void);

/* In a closed loop, each acknowledgement makes its sender send the next message. */
void ledger_close_loop(bool is_closed);

struct sender *ledger_sender(int number);
int ledger_senders(void);
