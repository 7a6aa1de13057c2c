// Process that kills a batch that hangs. A thread of the batch could not do so: it ends when the process begins to exit, and
// native libraries can also hang during the exit.
import type { WatchLimits } from './watched.ts'

/** Time between two checks, in milliseconds. No checks are made while the machine is suspended. */
const CHECK_MS = 1000

const [pid = '', name = '', limits = ''] = process.argv.slice(2)
const { maxSilentChecks, maxChecks }: WatchLimits = JSON.parse(limits)
let checks = 0
let silentChecks = 0
process.stdin.on('data', () => {
  silentChecks = 0
})
process.stdin.on('close', () => process.exit())
setInterval(() => {
  checks += 1
  silentChecks += 1
  if (silentChecks > maxSilentChecks) kill(`it gave no sign of life for ${maxSilentChecks} s`)
  if (checks > maxChecks) kill(`it took longer than ${maxChecks} s`)
}, CHECK_MS)

function kill(reason: string): void {
  process.stderr.write(`${name} is killed: ${reason}\n`)
  process.kill(Number(pid), 'SIGKILL')
  process.exit()
}
