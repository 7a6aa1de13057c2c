#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

enum { TAG_LENGTH = 15, FIRST_CAPACITY = 1 << 12 };

struct message {
  int64_t sent_at;
  uint32_t received;
};

struct room {
  int senders;
  int listeners;
};

static const char words[] = " Shall we meet at the usual place at eight tonight? I can bring the others.";

static struct room rooms[MAX_ROOMS];
static struct sender *senders[MAX_SENDERS];
static int sender_count;
static struct figures figures;
static bool is_measuring;
static bool is_closed_loop;
static int64_t to_come;
static uint64_t out_of_turn;

static void receive_one(struct connection *connection, const char *tag, bool echo_acknowledges);
static struct message *next_message(struct sender *sender);
static void write_hex(char *at, int digits, uint32_t value);
static uint32_t read_hex(const char *at, int digits);

void ledger_add(struct connection *connection) {
  const struct participant *who = connection->who;
  struct room *room = &rooms[who->room];
  if (who->listens) room->listeners += 1;
  if (!who->sends) return;
  if (sender_count == MAX_SENDERS) fail("there are more than %d senders", MAX_SENDERS);
  struct sender *sender = calloc(1, sizeof *sender);
  *sender = (struct sender){.number = sender_count, .place = room->senders, .room = who->room};
  sender->connection = connection;
  connection->sender = sender;
  room->senders += 1;
  senders[sender_count] = sender;
  sender_count += 1;
}

void ledger_send(struct sender *sender) {
  char text[TAG_LENGTH + sizeof words - 1];
  text[0] = text[TAG_LENGTH - 1] = '~';
  text[5] = '.';
  write_hex(text + 1, 4, (uint32_t)sender->number);
  write_hex(text + 6, 8, sender->sent);
  memcpy(text + TAG_LENGTH, words, sizeof words - 1);
  *next_message(sender) = (struct message){.sent_at = now};
  to_come += 1 + rooms[sender->room].listeners;
  sender->connection->protocol->send(sender->connection, text, sizeof text);
}

void ledger_acknowledge(struct sender *sender) {
  if (sender->acknowledged == sender->sent) fail("sender %d has more acknowledgements than messages", sender->number);
  int64_t took = now - sender->messages[sender->acknowledged].sent_at;
  sender->acknowledged += 1;
  to_come -= 1;
  if (is_measuring) {
    figures.messages += 1;
    figures.last_acknowledged = now;
    histogram_add(&figures.acknowledgement, took);
  }
  if (is_closed_loop) ledger_send(sender);
}

size_t ledger_receive(struct connection *connection, const char *bytes, size_t length, bool echo_acknowledges) {
  const char *end = bytes + length;
  const char *at = bytes;
  while ((at = memchr(at, '~', (size_t)(end - at))) != NULL) {
    if (end - at < TAG_LENGTH) return (size_t)(at - bytes);
    receive_one(connection, at, echo_acknowledges);
    at += TAG_LENGTH;
  }
  return length;
}

static void receive_one(struct connection *connection, const char *tag, bool echo_acknowledges) {
  uint32_t number = read_hex(tag + 1, 4);
  uint32_t index = read_hex(tag + 6, 8);
  if (number >= (uint32_t)sender_count || tag[5] != '.' || tag[TAG_LENGTH - 1] != '~')
    fail("connection %d received what nobody sent", connection->number);
  struct sender *sender = senders[number];
  if (sender->room != connection->who->room || index >= sender->sent)
    fail("connection %d received a message of another room", connection->number);
  if (connection->last_received == NULL)
    connection->last_received = calloc((size_t)rooms[sender->room].senders, sizeof *connection->last_received);
  if (connection->last_received[sender->place] != index) out_of_turn += 1;
  connection->last_received[sender->place] = index + 1;
  struct message *message = &sender->messages[index];
  message->received += 1;
  to_come -= 1;
  if (is_measuring) {
    figures.deliveries += 1;
    figures.last_delivered = now;
    if (message->received == (uint32_t)rooms[sender->room].listeners && message->sent_at >= figures.from)
      histogram_add(&figures.last_listener, now - message->sent_at);
  }
  if (echo_acknowledges && connection->sender == sender) ledger_acknowledge(sender);
}

void ledger_measure(void) {
  is_measuring = true;
  memset(&figures, 0, sizeof figures);
  figures.from = figures.last_acknowledged = figures.last_delivered = now;
}

const struct figures *ledger_figures(void) {
  return &figures;
}

int64_t ledger_missing(void) {
  return to_come;
}

uint64_t ledger_out_of_turn(void) {
  return out_of_turn;
}

void ledger_close_loop(bool is_closed) {
  is_closed_loop = is_closed;
}

struct sender *ledger_sender(int number) {
  return senders[number];
}

int ledger_senders(void) {
  return sender_count;
}

static struct message *next_message(struct sender *sender) {
  if (sender->sent == sender->capacity) {
    sender->capacity = sender->capacity == 0 ? FIRST_CAPACITY : sender->capacity * 2;
    sender->messages = realloc(sender->messages, sender->capacity * sizeof *sender->messages);
    if (sender->messages == NULL) fail("there is no more memory");
  }
  sender->sent += 1;
  return &sender->messages[sender->sent - 1];
}

static void write_hex(char *at, int digits, uint32_t value) {
  for (int index = digits - 1; index >= 0; index -= 1, value >>= 4) at[index] = "0123456789abcdef"[value & 15];
}

static uint32_t read_hex(const char *at, int digits) {
  uint32_t value = 0;
  for (int index = 0; index < digits; index += 1)
    value = value << 4 | (uint32_t)(at[index] <= '9' ? at[index] - '0' : at[index] - 'a' + 10);
  return value;
}
