#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "failure.h"

enum { SHARED = 1 << 20, EVENTS = 512 };

static int epoll_fd(void);
static void watch(struct connection *connection, int operation);
static void serve(struct connection *connection, uint32_t events);
static void receive(struct connection *connection);
static void flush(struct connection *connection, bool is_watched);
static void append(struct bytes *bytes, const char *more, size_t length);

int64_t now;
int64_t last_bytes_at;
int closed_connections;

void clock_read(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  now = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void connection_open(struct connection *connection, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("no socket for connection %d: %s", connection->number, strerror(errno));
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
    fail("connection %d is refused: %s", connection->number, strerror(errno));
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  connection->fd = fd;
  watch(connection, EPOLL_CTL_ADD);
  connection->protocol->open(connection);
}

void connection_write(struct connection *connection, const char *bytes, size_t length) {
  if (connection->is_closed) return;
  ssize_t sent = 0;
  if (connection->unsent.length == 0 && !connection->is_receiving)
    sent = send(connection->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) sent = 0;
  if ((size_t)sent == length) return;
  append(&connection->unsent, bytes + sent, length - (size_t)sent);
  if (!connection->is_receiving) watch(connection, EPOLL_CTL_MOD);
}

void connection_print(struct connection *connection, const char *format, ...) {
  char text[4096];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= sizeof text) fail("too long: %s", format);
  connection_write(connection, text, (size_t)length);
}

bool connections_serve(int timeout_ms) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(epoll_fd(), events, EVENTS, timeout_ms);
  bool has_line = false;
  clock_read();
  for (int index = 0; index < count; index += 1) {
    if (events[index].data.ptr == NULL) {
      char line[64];
      if (read(STDIN_FILENO, line, sizeof line) <= 0) exit(0);
      has_line = true;
    } else {
      serve(events[index].data.ptr, events[index].events);
    }
  }
  return has_line;
}

/* Returns the epoll instance. It also watches standard input, by which the parent process controls this program. */
static int epoll_fd(void) {
  static int fd = -1;
  if (fd >= 0) return fd;
  fd = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
  if (fd < 0 || epoll_ctl(fd, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0) fail("there is no epoll");
  return fd;
}

static void watch(struct connection *connection, int operation) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (connection->unsent.length > 0) event.events |= EPOLLOUT;
  epoll_ctl(epoll_fd(), operation, connection->fd, &event);
}

static void serve(struct connection *connection, uint32_t events) {
  if (connection->is_closed) return;
  if (events & EPOLLOUT) flush(connection, true);
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(connection);
}

/* All connections share one read buffer; only incomplete frames are copied. */
static void receive(struct connection *connection) {
  static char shared[SHARED];
  struct bytes *unread = &connection->unread;
  if (unread->length == SHARED) fail("connection %d was sent a frame without an end", connection->number);
  if (unread->length > 0) memcpy(shared, unread->at, unread->length);
  ssize_t got = recv(connection->fd, shared + unread->length, SHARED - unread->length, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    connection->is_closed = true;
    closed_connections += 1;
    close(connection->fd);
    return;
  }
  clock_read();
  last_bytes_at = now;
  size_t length = unread->length + (size_t)got;
  unread->length = 0;
  bool was_waiting = connection->unsent.length > 0;
  connection->is_receiving = true;
  size_t done = connection->protocol->receive(connection, shared, length);
  connection->is_receiving = false;
  if (done < length) append(unread, shared + done, length - done);
  if (connection->unsent.length > 0 && !was_waiting) flush(connection, false);
}

static void flush(struct connection *connection, bool is_watched) {
  struct bytes *unsent = &connection->unsent;
  ssize_t sent = send(connection->fd, unsent->at, unsent->length, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) sent = 0;
  unsent->length -= (size_t)sent;
  memmove(unsent->at, unsent->at + sent, unsent->length);
  bool is_waiting = unsent->length > 0;
  if (is_waiting != is_watched) watch(connection, EPOLL_CTL_MOD);
}

static void append(struct bytes *bytes, const char *more, size_t length) {
  if (bytes->length + length > bytes->capacity) {
    bytes->capacity = (bytes->length + length) * 2;
    bytes->at = realloc(bytes->at, bytes->capacity);
    if (bytes->at == NULL) fail("there is no more memory");
  }
  memcpy(bytes->at + bytes->length, more, length);
  bytes->length += length;
}
