// Worker of a batch that kills its process: native code that blocks the event loop for ever blocks its timers, too.
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { WatchLimits } from './watched.ts'

/** Time between two checks, in milliseconds. While the machine stands still, none is made. */
const CHECK_MS = 1000
const STDERR = 2

const { name, maxSilentChecks, maxChecks }: WatchLimits & { name: string } = workerData
let checks = 0
let silentChecks = 0
parentPort?.on('message', () => {
  silentChecks = 0
})
setInterval(() => {
  checks += 1
  silentChecks += 1
  if (silentChecks > maxSilentChecks) kill(`its event loop was blocked for ${maxSilentChecks} s`)
  if (checks > maxChecks) kill(`it took longer than ${maxChecks} s`)
}, CHECK_MS)

function kill(reason: string): void {
  writeSync(STDERR, `${name} is killed: ${reason}\n`)
  process.kill(process.pid, 'SIGKILL')
}
