/* XMPP over TCP: SASL PLAIN, and a room of a multi-user chat (XEP-0045), which echoes messages to their sender. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

enum { GREETING, AUTHENTICATING, STARTING, BINDING, JOINING };

enum { DOMAIN, USER, PASSWORD, ROOM };

static const char *end_of(int stage);
static void go_on(struct connection *connection);
static void open_stream(struct connection *connection);
static void authenticate(struct connection *connection);
static void enter(struct connection *connection);
static void write_base64(char *to, const unsigned char *from, size_t length);

static size_t receive(struct connection *connection, const char *bytes, size_t length) {
  if (connection->is_ready) return ledger_receive(connection, bytes, length, true);
  if (memmem(bytes, length, "<failure", 8) != NULL || memmem(bytes, length, "'error'", 7) != NULL ||
      memmem(bytes, length, "<stream:error", 13) != NULL)
    fail("connection %d is refused: %.*s", connection->number, (int)length, bytes);
  const char *end = end_of(connection->stage);
  if (memmem(bytes, length, end, strlen(end)) == NULL) return 0;
  go_on(connection);
  return length;
}

/* Returns the text that ends the server's answer, or that shows its success. */
static const char *end_of(int stage) {
  switch (stage) {
    case GREETING: return "</stream:features>";
    case AUTHENTICATING: return "<success";
    case STARTING: return "</stream:features>";
    case BINDING: return "</iq>";
    default: return "='110'"; /* status of our own presence, which the server sends after the presences of all others */
  }
}

static void go_on(struct connection *connection) {
  int stage = connection->stage;
  connection->stage += 1;
  if (stage == GREETING) authenticate(connection);
  else if (stage == AUTHENTICATING) open_stream(connection);
  else if (stage == STARTING)
    connection_print(connection, "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
                                 "<resource>bench</resource></bind></iq>");
  else if (stage == BINDING) enter(connection);
  else connection_ready(connection);
}

static void open_stream(struct connection *connection) {
  connection_print(connection,
                   "<?xml version='1.0'?><stream:stream to='%s' xmlns='jabber:client' "
                   "xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>",
                   connection->who->arguments[DOMAIN]);
}

static void authenticate(struct connection *connection) {
  const char *const *given = connection->who->arguments;
  char secret[256];
  char encoded[512];
  int length = snprintf(secret, sizeof secret, "%c%s%c%s", 0, given[USER], 0, given[PASSWORD]);
  write_base64(encoded, (const unsigned char *)secret, (size_t)length);
  connection_print(connection, "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>%s</auth>", encoded);
}

static void enter(struct connection *connection) {
  const char *const *given = connection->who->arguments;
  connection_print(connection, "<presence/>");
  if (given[ROOM] == NULL) return connection_ready(connection);
  connection_print(connection,
                   "<presence to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x>"
                   "</presence>",
                   given[ROOM], given[USER]);
}

static void send_message(struct connection *connection, const char *text, size_t length) {
  connection_print(connection, "<message to='%s' type='groupchat' id='%.13s'><body>%.*s</body></message>",
                   connection->who->arguments[ROOM], text + 1, (int)length, text);
}

static void write_base64(char *to, const unsigned char *from, size_t length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < length; at += 3) {
    unsigned group = (unsigned)from[at] << 16;
    if (at + 1 < length) group |= (unsigned)from[at + 1] << 8;
    if (at + 2 < length) group |= from[at + 2];
    *to++ = letters[group >> 18];
    *to++ = letters[group >> 12 & 63];
    *to++ = at + 1 < length ? letters[group >> 6 & 63] : '=';
    *to++ = at + 2 < length ? letters[group & 63] : '=';
  }
  *to = 0;
}

const struct protocol xmpp = {.name = "xmpp", .open = open_stream, .receive = receive, .send = send_message};
