/*
 * A load generator for chat servers: reads a plan, opens its connections, sends, receives, and counts. One thread, epoll.
 * It prints its progress to stdout, a line each, and its figures at the end as JSON; see ../lean.ts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "failure.h"
#include "ledger.h"
#include "protocols.h"

enum { BEAT_SECONDS = 20, MAX_OPEN_S = 240 };

static const int64_t SECOND = 1000000000;
static const int64_t QUIET = 300000000;

static const struct protocol *const protocols[] = {&gateway, &http, &xmpp, &irc, &mqtt, &nats};

static struct plan plan;
static struct connection *connections;
static int opened;
static int ready;

static void make_connections(void);
static const struct protocol *protocol_named(const char *name);
static void raise_limit_of_files(void);
static void hold(void);
static void hold_until_line(void);
static void open_until(int count);
static void settle(void);
static void run(const struct phase *phase);
static void send_until(const struct phase *phase, int64_t end);
static void wait_for_the_rest(void);
static bool serve(int64_t until);
static void beat(void);
static void print_line(const char *line);
static void print_figures(double cpu_before);
static double cpu_seconds(void);

int main(int count, char **arguments) {
  if (count != 2) fail("usage: %s PLAN", arguments[0]);
  plan = plan_read(arguments[1]);
  raise_limit_of_files();
  make_connections();
  if (plan.phase_count == 0) hold();
  open_until(plan.count);
  settle();
  for (int index = 0; index < plan.phase_count; index += 1) run(&plan.phases[index]);
}

void connection_ready(struct connection *connection) {
  if (connection->is_ready) return;
  connection->is_ready = true;
  ready += 1;
}

static void make_connections(void) {
  connections = calloc((size_t)plan.count, sizeof *connections);
  for (int index = 0; index < plan.count; index += 1) {
    struct connection *connection = &connections[index];
    connection->number = index;
    connection->who = &plan.participants[index];
    connection->protocol = protocol_named(connection->who->protocol);
    ledger_add(connection);
  }
}

static const struct protocol *protocol_named(const char *name) {
  for (size_t index = 0; index < sizeof protocols / sizeof *protocols; index += 1)
    if (strcmp(protocols[index]->name, name) == 0) return protocols[index];
  fail("there is no protocol %s", name);
}

static void raise_limit_of_files(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < (rlim_t)plan.count + 16) fail("%d connections need a higher limit of open files", plan.count);
}

/* Opens the first connections, then all. Each time, the parent process reads the server's memory and writes a line. */
static void hold(void) {
  open_until(plan.first);
  hold_until_line();
  open_until(plan.count);
  hold_until_line();
  exit(0);
}

static void hold_until_line(void) {
  char line[64];
  snprintf(line, sizeof line, "open %d %d\n", ready, closed_connections);
  print_line(line);
  while (!serve(now + SECOND)) continue;
}

/* Opens a few connections at a time, as users would, because the server's backlog is not to be measured. */
static void open_until(int count) {
  clock_read();
  int64_t deadline = now + MAX_OPEN_S * SECOND;
  while (ready < count) {
    while (opened < count && opened - ready < plan.opening) {
      opened += 1;
      connection_open(&connections[opened - 1], connections[opened - 1].who->port);
    }
    if (ready < count) serve(now + 1);
    if (closed_connections > 0) fail("the server closed a connection while it was opened");
    if (now > deadline) fail("only %d of %d connections are open after %d s", ready, count, MAX_OPEN_S);
  }
}

/* Waits until no bytes arrive: servers may still be announcing the participants of a room to each other. */
static void settle(void) {
  last_bytes_at = now;
  while (now - last_bytes_at < QUIET) serve(last_bytes_at + QUIET);
}

static void run(const struct phase *phase) {
  if (phase->senders > ledger_senders()) fail("there are only %d senders", ledger_senders());
  ledger_close_loop(phase->pause_ns == 0);
  for (int number = 0; phase->pause_ns == 0 && number < phase->senders; number += 1) ledger_send(ledger_sender(number));
  send_until(phase, now + phase->warmup_ns);
  ledger_measure();
  print_line("measuring\n");
  double cpu_before = cpu_seconds();
  send_until(phase, now + phase->run_ns);
  wait_for_the_rest();
  print_figures(cpu_before);
  if (ledger_missing() > 0) exit(0);
}

/* Sends messages with a pause between them. In a closed loop, it only waits: acknowledgements trigger messages. */
static void send_until(const struct phase *phase, int64_t end) {
  static int turn;
  bool is_paced = phase->pause_ns > 0;
  int64_t next = now;
  while (now < end) {
    if (is_paced && now >= next) {
      ledger_send(ledger_sender(turn++ % phase->senders));
      next += phase->pause_ns;
    }
    serve(is_paced && next < end ? next : end);
  }
}

static void wait_for_the_rest(void) {
  ledger_close_loop(false);
  int64_t deadline = now + plan.late_ns;
  while (ledger_missing() > 0 && now < deadline) serve(deadline);
}

/* Waits for activity until the deadline, and returns whether a line arrived. */
static bool serve(int64_t until) {
  int64_t wait = until > now ? (until - now + 999999) / 1000000 : 0;
  bool has_line = connections_serve(wait < 1000 ? (int)wait : 1000);
  beat();
  return has_line;
}

/* Sends heartbeats of some connections each second, so that not all are due at once. */
static void beat(void) {
  static int64_t last;
  int64_t second = now / SECOND;
  if (second == last) return;
  last = second;
  for (int index = (int)(second % BEAT_SECONDS); index < opened; index += BEAT_SECONDS) {
    struct connection *connection = &connections[index];
    if (connection->is_ready && connection->protocol->beat != NULL) connection->protocol->beat(connection);
  }
}

static void print_line(const char *line) {
  if (write(STDOUT_FILENO, line, strlen(line)) < 0) exit(1);
}

static void print_figures(double cpu_before) {
  const struct figures *figures = ledger_figures();
  char line[1024];
  snprintf(line, sizeof line,
           "{\"messages\":%llu,\"messages_seconds\":%.6f,\"deliveries\":%llu,\"deliveries_seconds\":%.6f,"
           "\"ack_p50_ms\":%.4f,\"ack_p99_ms\":%.4f,\"last_p50_ms\":%.4f,\"last_p99_ms\":%.4f,"
           "\"load_cpu_seconds\":%.6f,\"missing\":%lld,\"out_of_turn\":%llu,\"closed\":%d}\n",
           (unsigned long long)figures->messages, (double)(figures->last_acknowledged - figures->from) / 1e9,
           (unsigned long long)figures->deliveries, (double)(figures->last_delivered - figures->from) / 1e9,
           histogram_percentile(&figures->acknowledgement, 0.5), histogram_percentile(&figures->acknowledgement, 0.99),
           histogram_percentile(&figures->last_listener, 0.5), histogram_percentile(&figures->last_listener, 0.99),
           cpu_seconds() - cpu_before, (long long)ledger_missing(), (unsigned long long)ledger_out_of_turn(),
           closed_connections);
  print_line(line);
}

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
