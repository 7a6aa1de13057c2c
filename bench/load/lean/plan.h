#pragma once
#include <stdbool.h>
#include <stdint.h>

enum mode {
  CLOSED_LOOP, /* each sender sends the next message when the last one is acknowledged */
  PACED,       /* the senders take turns, so many messages a second, whatever becomes of them */
  IDLE         /* nobody sends */
};

enum { MAX_ARGUMENTS = 4, MAX_ROOMS = 4096, MAX_SENDERS = 65536 };

struct participant {
  const char *protocol;
  bool listens;
  bool sends;
  int room;
  /* Names and secrets, as the protocol needs them. */
  const char *arguments[MAX_ARGUMENTS];
};

struct plan {
  enum mode mode;
  int port;
  int64_t warmup_ns;
  int64_t run_ns;
  int64_t pause_ns; /* PACED: between two messages */
  int first;        /* IDLE: how many connections are open at the first reading */
  struct participant *participants;
  int count;
};

/* Reads the file that ../lean.ts writes. */
struct plan plan_read(const char *path);
