import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const SIGN_OF_LIFE_MS = 1000

/** Limits in checks, of which there is one per second. */
export interface WatchLimits {
  /** Checks without a sign of life after which the process counts as hanging. */
  maxSilentChecks: number
  /** Checks after which a batch is killed: several times the longest run on a busy machine. */
  maxChecks: number
}

const LIMITS: WatchLimits = { maxSilentChecks: 240, maxChecks: 1800 }

/** Starts a watchdog that kills this process if it hangs, even in native code or while it exits. */
export function watchBatch(limits = LIMITS): void {
  const program = fileURLToPath(new URL('./watchdog.ts', import.meta.url))
  const given = [`${process.pid}`, process.argv[1] ?? 'a batch', JSON.stringify(limits)]
  const watchdog = spawn(process.execPath, [program, ...given], { stdio: ['pipe', 'ignore', 'inherit'] })
  watchdog.unref()
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref()
  watchdog.stdin.on('error', () => undefined)
  setInterval(() => watchdog.stdin.write('.'), SIGN_OF_LIFE_MS).unref()
}
