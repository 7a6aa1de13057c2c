#pragma once

/* Ends the program with the message, because a failed run has no result. */
__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *format, ...);
