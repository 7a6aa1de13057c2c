// Measures delivery time in a room of a thousand. Messages are rare, so that none waits for another.
import { signUp } from './load/accounts.ts'
import { runLean, withoutLean } from './load/lean.ts'
import { foyerParticipants } from './load/lean-foyer.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { type CpuTimes, cpuBetween, readCpuTimes } from './server/usage.ts'

const options = readOptions(
  { listeners: 1000, pause: 100, warmup: 5, seconds: 20 },
  { listeners: 50, pause: 20, warmup: 0.2, seconds: 0.5 },
)
const { listeners, pause: pauseMs } = options.numbers

if (withoutLean) console.log(`skipped: ${withoutLean}`)
else await withFoyer(options, measure)

async function measure(foyer: Foyer): Promise<void> {
  const accounts = await signUp(foyer.port, 1)
  const participants = foyerParticipants({ accounts, listeners, senders: 1 })
  let before: CpuTimes | undefined
  const lean = await runLean({ ...options.numbers, port: foyer.port, participants, pauseMs }, () => {
    before = readCpuTimes(foyer)
  })
  const cpu = cpuBetween(before ?? readCpuTimes(foyer), readCpuTimes(foyer))
  report({
    ...options,
    name: `latency-${listeners}-listeners`,
    problems: [],
    figures: {
      messages: lean.messages,
      messages_per_second: lean.messages / lean.messages_seconds,
      ack_p50_ms: lean.ack_p50_ms,
      ack_p99_ms: lean.ack_p99_ms,
      last_listener_p50_ms: lean.last_p50_ms,
      last_listener_p99_ms: lean.last_p99_ms,
      server_cpu_us_per_delivery: (cpu.server / lean.deliveries) * 1e6,
    },
  })
}
