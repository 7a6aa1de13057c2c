// Runs in a separate thread, since a hostile file may keep the main thread busy forever.

import { parentPort, workerData } from 'node:worker_threads'
import { TOO_LARGE_SIGNAL } from './signals.ts'

const INTERVAL_MS = 100

const parent = process.ppid
const maxRssBytes = Number(workerData)

// Only a signal can end a process whose threads are in native code.
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > maxRssBytes) process.kill(process.pid, TOO_LARGE_SIGNAL)
}, INTERVAL_MS)

// This code is loaded, so the child may now give up the right to read source files.
parentPort?.postMessage('ready')
