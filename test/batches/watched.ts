import { Worker } from 'node:worker_threads'

const SIGN_OF_LIFE_MS = 1000

/** Counted in checks, one a second. */
export interface WatchLimits {
  /** Checks without a sign of life after which the event loop counts as blocked. */
  maxSilentChecks: number
  /** Checks after which a batch ends: several times the longest run on a busy machine. */
  maxChecks: number
}

const LIMITS: WatchLimits = { maxSilentChecks: 60, maxChecks: 600 }

/** Kills this process if it hangs, even in native code. */
export function watchBatch(limits = LIMITS): void {
  const workerData = { name: process.argv[1] ?? 'a batch', ...limits }
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), { workerData, execArgv: [] })
  watchdog.unref()
  setInterval(() => watchdog.postMessage(null), SIGN_OF_LIFE_MS).unref()
}
