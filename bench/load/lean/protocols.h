#pragma once
#include "connection.h"

extern const struct protocol gateway; /* Foyer's events: ACCESS_TOKEN SESSION_TOKEN */
extern const struct protocol http;    /* Foyer's requests: ROOM_ID ACCESS_TOKEN SESSION_TOKEN */

/* The connection may send, and hears what is sent. */
void connection_ready(struct connection *connection);
