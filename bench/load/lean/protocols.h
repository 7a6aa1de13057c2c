#pragma once
#include "connection.h"

/* Protocols with the arguments of their connections. Without an argument in brackets, a connection receives nothing. */
extern const struct protocol gateway; /* Foyer's events: ACCESS_TOKEN SESSION_TOKEN */
extern const struct protocol http;    /* Foyer's requests: ROOM_ID ACCESS_TOKEN SESSION_TOKEN */
extern const struct protocol xmpp;    /* DOMAIN USER PASSWORD [ROOM@SERVICE] */
extern const struct protocol irc;     /* NICK [#CHANNEL] */
extern const struct protocol mqtt;    /* CLIENT TOPIC */
extern const struct protocol nats;    /* SUBJECT [INBOX]: with an inbox, the stream acknowledges, otherwise the echo */

/* Marks the connection as ready to send and receive messages. */
void connection_ready(struct connection *connection);
