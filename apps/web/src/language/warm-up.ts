/**
 * Runs in a worker. The first formatted time in a process makes V8 scan all its locales, which takes some 40 ms. Doing it here
 * keeps that off the main thread.
 */
new Date().toLocaleTimeString()
close()
