#define _GNU_SOURCE
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

static void read_line(struct plan *plan, char *line);
static void add_participant(struct plan *plan);
static enum mode mode_named(const char *name);

struct plan plan_read(const char *path) {
  struct plan plan = {0};
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
  const char *value = strtok(NULL, " \n");
  if (value == NULL) fail("%s has no value", name);
  if (strcmp(name, "mode") == 0) plan->mode = mode_named(value);
  else if (strcmp(name, "port") == 0) plan->port = atoi(value);
  else if (strcmp(name, "warmup_ms") == 0) plan->warmup_ns = atoll(value) * 1000000;
  else if (strcmp(name, "run_ms") == 0) plan->run_ns = atoll(value) * 1000000;
  else if (strcmp(name, "pause_ms") == 0) plan->pause_ns = atoll(value) * 1000000;
  else if (strcmp(name, "first") == 0) plan->first = atoi(value);
  else fail("a plan has no %s", name);
}

/* connection PROTOCOL listen|send|both ROOM ARGUMENT... */
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
  };
  for (int index = 0; index < MAX_ARGUMENTS; index += 1) {
    const char *argument = strtok(NULL, " \n");
    participant.arguments[index] = argument == NULL ? NULL : strdup(argument);
  }
  plan->participants = realloc(plan->participants, (size_t)(plan->count + 1) * sizeof participant);
  plan->participants[plan->count] = participant;
  plan->count += 1;
}

static enum mode mode_named(const char *name) {
  if (strcmp(name, "closed") == 0) return CLOSED_LOOP;
  if (strcmp(name, "paced") == 0) return PACED;
  if (strcmp(name, "idle") == 0) return IDLE;
  fail("there is no mode %s", name);
}
