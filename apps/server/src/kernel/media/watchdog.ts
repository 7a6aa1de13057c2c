// A thread of its own, since the others may be busy with a hostile file for ever.

import { TOO_LARGE_SIGNAL } from './jobs.ts'

/** A JPEG of the most pixels that are allowed takes 950 MiB, an AVIF of two thirds of them 1200. */
const MAX_RSS_BYTES = 1.25 * 1024 ** 3
const INTERVAL_MS = 100

const parent = process.ppid

// Nothing gentler than a signal ends a process whose threads are in native code.
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > MAX_RSS_BYTES) process.kill(process.pid, TOO_LARGE_SIGNAL)
}, INTERVAL_MS)
