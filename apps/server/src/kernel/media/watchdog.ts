// A thread of its own, since the others may be busy with a hostile file for ever.

/** A picture of the most pixels that are allowed takes two thirds of it: see bench/multipart-uploads.ts. */
const MAX_RSS_BYTES = 1.25 * 1024 ** 3
const INTERVAL_MS = 100

const parent = process.ppid

setInterval(() => {
  const isOrphan = process.ppid !== parent
  const isTooLarge = process.memoryUsage.rss() > MAX_RSS_BYTES
  // Nothing gentler ends a process whose threads are in native code.
  if (isOrphan || isTooLarge) process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
