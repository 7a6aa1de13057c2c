#pragma once
#include "connection.h"

/* Each with the arguments of its connections. Without those in brackets a connection receives nothing. */
extern const struct protocol gateway; /* Foyer's events: ACCESS_TOKEN SESSION_TOKEN */
extern const struct protocol http;    /* Foyer's requests: ROOM_ID ACCESS_TOKEN SESSION_TOKEN */
extern const struct protocol xmpp;    /* DOMAIN USER PASSWORD [ROOM@SERVICE] */
extern const struct protocol irc;     /* NICK [#CHANNEL] */
extern const struct protocol mqtt;    /* CLIENT TOPIC */
extern const struct protocol nats;    /* SUBJECT [INBOX]: with an inbox, the stream acknowledges; else the own echo */

/* The connection may send, and receives messages. */
void connection_ready(struct connection *connection);
