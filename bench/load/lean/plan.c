#define _GNU_SOURCE
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

static const int64_t MILLISECOND = 1000000;

static void read_line(struct plan *plan, char *line);
static void add_participant(struct plan *plan);
static void add_phase(struct plan *plan);
static int read_number(const char *name);

struct plan plan_read(const char *path) {
  struct plan plan = {.opening = 32, .late_ns = 15000 * MILLISECOND};
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("%s cannot be read", path);
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, file) > 0) read_line(&plan, line);
  free(line);
  fclose(file);
  return plan;
}

static void read_line(struct plan *plan, char *line) {
  const char *name = strtok(line, " \n");
  if (name == NULL) return;
  if (strcmp(name, "connection") == 0) return add_participant(plan);
  if (strcmp(name, "phase") == 0) return add_phase(plan);
  int value = read_number(name);
  if (strcmp(name, "port") == 0) plan->port = value;
  else if (strcmp(name, "opening") == 0) plan->opening = value;
  else if (strcmp(name, "late_ms") == 0) plan->late_ns = value * MILLISECOND;
  else if (strcmp(name, "first") == 0) plan->first = value;
  else fail("a plan has no %s", name);
}

/* Reads: phase SENDERS WARMUP RUN PAUSE, with times in milliseconds. */
static void add_phase(struct plan *plan) {
  if (plan->phase_count == MAX_PHASES) fail("there are more than %d phases", MAX_PHASES);
  struct phase *phase = &plan->phases[plan->phase_count];
  phase->senders = read_number("phase");
  phase->warmup_ns = read_number("phase") * MILLISECOND;
  phase->run_ns = read_number("phase") * MILLISECOND;
  phase->pause_ns = read_number("phase") * MILLISECOND;
  plan->phase_count += 1;
}

static int read_number(const char *name) {
  const char *value = strtok(NULL, " \n");
  if (value == NULL) fail("a number is missing after %s", name);
  return atoi(value);
}

/* Reads: connection PROTOCOL listen|send|both ROOM ARGUMENT... */
static void add_participant(struct plan *plan) {
  const char *protocol = strtok(NULL, " \n");
  const char *role = strtok(NULL, " \n");
  const char *room = strtok(NULL, " \n");
  if (room == NULL || atoi(room) < 0 || atoi(room) >= MAX_ROOMS) fail("a connection has no room");
  struct participant participant = {
      .protocol = strdup(protocol),
      .listens = strcmp(role, "send") != 0,
      .sends = strcmp(role, "listen") != 0,
      .room = atoi(room),
      .port = plan->port,
  };
  for (int index = 0; index < MAX_ARGUMENTS; index += 1) {
    const char *argument = strtok(NULL, " \n");
    participant.arguments[index] = argument == NULL ? NULL : strdup(argument);
  }
  plan->participants = realloc(plan->participants, (size_t)(plan->count + 1) * sizeof participant);
  plan->participants[plan->count] = participant;
  plan->count += 1;
}
