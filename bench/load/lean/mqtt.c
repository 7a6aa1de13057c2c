/* MQTT 3.1.1: a topic, published to and subscribed with QoS 1, so that each message is acknowledged in both directions. */
#include <string.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

enum { CLIENT, TOPIC };
enum { CONNECT = 0x10, CONNACK = 0x20, PUBLISH = 0x30, PUBACK = 0x40, SUBSCRIBE = 0x82, SUBACK = 0x90, QOS_1 = 0x02 };
enum { MAX_PACKET = 1024, PUBACK_SIZE = 4 };

struct packet {
  char bytes[MAX_PACKET];
  size_t length;
};

static size_t read_size(const unsigned char *bytes, size_t length, size_t *start);
static void receive_packet(struct connection *connection, const unsigned char *packet, const unsigned char *end);
static void receive_message(struct connection *connection, const unsigned char *packet, const unsigned char *end);
static void subscribe(struct connection *connection);
static void add_number(struct packet *packet, unsigned number);
static void add_text(struct packet *packet, const char *text);
static void write_packet(struct connection *connection, int type, const struct packet *packet);

static void open_mqtt(struct connection *connection) {
  struct packet packet = {.length = 0};
  add_text(&packet, "MQTT");
  add_number(&packet, 0x0402); /* version 4, a clean session */
  add_number(&packet, 0);      /* no keep-alive: the client may stay silent */
  add_text(&packet, connection->who->arguments[CLIENT]);
  write_packet(connection, CONNECT, &packet);
}

static size_t receive(struct connection *connection, const char *bytes, size_t length) {
  const unsigned char *at = (const unsigned char *)bytes;
  const unsigned char *end = at + length;
  for (;;) {
    size_t start;
    size_t size = read_size(at, (size_t)(end - at), &start);
    if (start == 0 || start + size > (size_t)(end - at)) break;
    receive_packet(connection, at, at + start + size);
    at += start + size;
  }
  return length - (size_t)(end - at);
}

/* Returns the length of the packet after its header. Sets `start` to the end of the header, 0 while it is incomplete. */
static size_t read_size(const unsigned char *bytes, size_t length, size_t *start) {
  size_t size = 0;
  *start = 0;
  for (size_t index = 1; index < length && index < 5; index += 1) {
    size |= (size_t)(bytes[index] & 0x7f) << (7 * (index - 1));
    if (bytes[index] >= 0x80) continue;
    *start = index + 1;
    return size;
  }
  return 0;
}

static void receive_packet(struct connection *connection, const unsigned char *packet, const unsigned char *end) {
  int type = packet[0] & 0xf0;
  if (type == PUBLISH) {
    receive_message(connection, packet, end);
  } else if (type == PUBACK) {
    ledger_acknowledge(connection->sender);
  } else if (type == CONNACK) {
    if (packet[3] != 0) fail("connection %d is refused: %d", connection->number, packet[3]);
    if (connection->who->listens) subscribe(connection);
    else connection_ready(connection);
  } else if (type == SUBACK) {
    connection_ready(connection);
  }
}

static void receive_message(struct connection *connection, const unsigned char *packet, const unsigned char *end) {
  size_t start;
  read_size(packet, (size_t)(end - packet), &start);
  const unsigned char *id = packet + start + 2 + (packet[start] << 8 | packet[start + 1]);
  if (!(packet[0] & QOS_1)) fail("a message came without QoS 1");
  ledger_receive(connection, (const char *)id + 2, (size_t)(end - id) - 2, false);
  const char acknowledgement[PUBACK_SIZE] = {PUBACK, 2, (char)id[0], (char)id[1]};
  connection_write(connection, acknowledgement, sizeof acknowledgement);
}

static void subscribe(struct connection *connection) {
  struct packet packet = {.length = 0};
  add_number(&packet, 1);
  add_text(&packet, connection->who->arguments[TOPIC]);
  packet.bytes[packet.length++] = 1;
  write_packet(connection, SUBSCRIBE, &packet);
}

static void send_message(struct connection *connection, const char *text, size_t length) {
  struct packet packet = {.length = 0};
  add_text(&packet, connection->who->arguments[TOPIC]);
  add_number(&packet, connection->sender->sent % 65535 + 1);
  if (packet.length + length > sizeof packet.bytes) fail("a message is too long");
  memcpy(packet.bytes + packet.length, text, length);
  packet.length += length;
  write_packet(connection, PUBLISH | QOS_1, &packet);
}

static void add_number(struct packet *packet, unsigned number) {
  packet->bytes[packet->length++] = (char)(number >> 8);
  packet->bytes[packet->length++] = (char)number;
}

static void add_text(struct packet *packet, const char *text) {
  size_t length = strlen(text);
  if (packet->length + length + 8 > sizeof packet->bytes) fail("a name is too long");
  add_number(packet, (unsigned)length);
  memcpy(packet->bytes + packet->length, text, length);
  packet->length += length;
}

static void write_packet(struct connection *connection, int type, const struct packet *packet) {
  char bytes[MAX_PACKET + 3] = {(char)type};
  size_t start = 1;
  size_t left = packet->length;
  do {
    bytes[start++] = (char)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>= 7;
  } while (left > 0);
  memcpy(bytes + start, packet->bytes, packet->length);
  connection_write(connection, bytes, start + packet->length);
}

const struct protocol mqtt = {.name = "mqtt", .open = open_mqtt, .receive = receive, .send = send_message};
