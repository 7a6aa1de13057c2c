#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MAX_ARGUMENTS = 4, MAX_ROOMS = 4096, MAX_SENDERS = 65536, MAX_PHASES = 16 };

struct participant {
  const char *protocol;
  bool listens;
  bool sends;
  int room;
  int port;
  /* Names and secrets, as the protocol needs them. */
  const char *arguments[MAX_ARGUMENTS];
};

struct phase {
  int senders;      /* how many of them send, counted from the first */
  int64_t warmup_ns;
  int64_t run_ns;
  int64_t pause_ns; /* between two messages, for which the senders take turns; 0: each sends the next message when the
                       last one is acknowledged */
};

/* Without phases connections are opened and held, and nothing is sent. */
struct plan {
  int port;    /* of the connections that come after it */
  int opening; /* how many connections are made at once */
  int64_t late_ns; /* how long what was sent may still be on its way at the end of a phase */
  int first;   /* how many are open at the first reading of the idle server */
  struct phase phases[MAX_PHASES];
  int phase_count;
  struct participant *participants;
  int count;
};

/* Reads the file that ../lean.ts writes. */
struct plan plan_read(const char *path);
