import { Worker } from 'node:worker_threads'
import { TOO_LARGE_SIGNAL } from './signals.ts'

/**
 * Watches this process from a separate thread, because a hostile file may keep the main thread busy forever. The thread
 * posts a message when it is running.
 */
export function startWatchdog(maxRssBytes: number): Worker {
  // The thread runs the function's text. To load a TypeScript file, it would first load a compiler, which takes 0.05 s.
  return new Worker(`(${watch})()`, {
    eval: true,
    workerData: { maxRssBytes, tooLargeSignal: TOO_LARGE_SIGNAL },
  })
}

/** Ends the process when its server has ended, or when it uses too much memory. Must not use anything outside of itself. */
function watch(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { maxRssBytes, tooLargeSignal } = workerData
  const parent = process.ppid
  const intervalMs = 100
  // Only a signal can end a process whose threads are in native code.
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > maxRssBytes) process.kill(process.pid, tooLargeSignal)
  }, intervalMs)
  parentPort?.postMessage('ready')
}
