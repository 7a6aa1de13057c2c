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
  /* Names and secrets, which protocols.h lists for each protocol. */
  const char *arguments[MAX_ARGUMENTS];
};

struct phase {
  int senders;      /* number of senders that send, counted from the first */
  int64_t warmup_ns;
  int64_t run_ns;
  int64_t pause_ns; /* between two messages, which the senders send in turns; 0 for a closed loop: each sends the next
                       message when the last one is acknowledged */
};

/* Without phases, connections are opened and held, and nothing is sent. */
struct plan {
  int port;    /* of the connections on the following lines of the plan */
  int opening; /* number of connections that are opened in parallel */
  int64_t late_ns; /* how long messages may still take to arrive at the end of a phase */
  int first;   /* number of connections that are open at the first reading of the idle server */
  struct phase phases[MAX_PHASES];
  int phase_count;
  struct participant *participants;
  int count;
};

/* Reads the file that ../lean.ts writes. */
struct plan plan_read(const char *path);
