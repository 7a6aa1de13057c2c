// Measures what a second gateway process adds, with the listeners on one process and spread over two.
import { withoutValkey } from '../apps/server/test/valkey/valkey.ts'
import { type Account, signUp } from './load/accounts.ts'
import { type LeanFigures, type Participant, runLean, withoutLean } from './load/lean.ts'
import { foyerParticipants } from './load/lean-foyer.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import type { ServerProcess } from './server/foyer.ts'
import { withJoined } from './server/joined.ts'
import { treeCpuSeconds } from './server/process-tree.ts'

// A pause of 0 sends as fast as possible. A gateway that falls behind then writes several messages at once, so the CPU time per
// delivery cannot be compared between one gateway and two.
const options = readOptions(
  { listeners: 1000, senders: 32, pause: 20, warmup: 3, seconds: 8 },
  { listeners: 50, senders: 4, pause: 0, warmup: 0.2, seconds: 0.5 },
)
const { listeners, senders, pause: pauseMs } = options.numbers

interface Measured {
  lean: LeanFigures
  /** CPU seconds of each gateway process. */
  cpuSeconds: number[]
  apiCpuSeconds: number
}

const reason = withoutLean || withoutValkey
if (reason) console.log(`skipped: ${reason}`)
else await withJoined(['api,jobs', 'gateway', 'gateway'], ({ processes }) => compare(processes))

async function compare([api, ...gateways]: readonly ServerProcess[]): Promise<void> {
  if (api === undefined) throw new Error('the api process is missing')
  const accounts = await signUp(api.port, 1)
  // Warms up both gateways: fresh code is slower than compiled code.
  await measure(api, gateways, accounts)
  const one = await measure(api, gateways.slice(0, 1), accounts)
  const two = await measure(api, gateways, accounts)
  report({
    ...options,
    name: `two-gateways-${listeners}-listeners`,
    problems: [],
    figures: {
      ...figuresOf('one', one),
      ...figuresOf('two', two),
      // With a pause, estimates from the CPU time what gateways could deliver if each had its own core.
      two_to_one:
        pauseMs > 0 ? capacityOf(two) / capacityOf(one) : deliveriesPerSecond(two) / deliveriesPerSecond(one),
    },
  })
}

async function measure(
  api: ServerProcess,
  gateways: readonly ServerProcess[],
  accounts: readonly Account[],
): Promise<Measured> {
  const participants = foyerParticipants({ accounts, listeners, senders }).map((each, index) =>
    spread(each, gateways[index % gateways.length]),
  )
  const processes = [api, ...gateways]
  let before: number[] = []
  const lean = await runLean({ ...options.numbers, port: api.port, participants, pauseMs }, () => {
    before = cpuOf(processes)
  })
  const [apiCpuSeconds = 0, ...cpuSeconds] = cpuOf(processes).map((now, index) => now - (before[index] ?? 0))
  return { lean, cpuSeconds, apiCpuSeconds }
}

function spread(participant: Participant, gateway: ServerProcess | undefined): Participant {
  return participant.role === 'send' ? participant : { ...participant, port: gateway?.port }
}

function cpuOf(processes: readonly ServerProcess[]): number[] {
  return processes.map(({ pid }) => treeCpuSeconds([pid]))
}

/** Returns the deliveries per second that would keep the busiest gateway busy all the time. */
function capacityOf({ lean, cpuSeconds }: Measured): number {
  return lean.deliveries / Math.max(...cpuSeconds)
}

function deliveriesPerSecond({ lean }: Measured): number {
  return lean.deliveries / lean.deliveries_seconds
}

function figuresOf(name: string, measured: Measured): Record<string, number> {
  const { lean, cpuSeconds, apiCpuSeconds } = measured
  const cpu = cpuSeconds.reduce((sum, each) => sum + each, 0)
  return {
    [`${name}_messages_per_second`]: lean.messages / lean.messages_seconds,
    [`${name}_deliveries_per_second`]: deliveriesPerSecond(measured),
    [`${name}_gateway_cpu_us_per_delivery`]: (cpu / lean.deliveries) * 1e6,
    [`${name}_deliveries_per_busy_second`]: capacityOf(measured),
    [`${name}_api_cpu_us_per_message`]: (apiCpuSeconds / lean.messages) * 1e6,
    [`${name}_last_listener_p99_ms`]: lean.last_p99_ms,
  }
}
