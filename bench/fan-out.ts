// Measures the cost of a delivery, in one room with a thousand listeners.
import { chat } from './load/chat.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { withFoyer } from './server/foyer.ts'

const options = readOptions(
  { listeners: 1000, senders: 32, warmup: 5, seconds: 10 },
  { listeners: 50, senders: 4, warmup: 0.2, seconds: 0.5 },
)
const load = { ...options.numbers, rooms: 1 }
const { sent, seconds, cpu, problems } = await withFoyer(options, (foyer) => chat(foyer, load))

const deliveries = sent.length * load.listeners
const untilAll = sent.flatMap(({ sentAt, receivedByAllAt }) =>
  receivedByAllAt === undefined ? [] : [receivedByAllAt - sentAt],
)
report({
  ...options,
  name: `fan-out-${load.listeners}-listeners-${load.senders}-in-flight`,
  problems,
  figures: {
    deliveries,
    deliveries_per_second: deliveries / seconds,
    messages_per_second: sent.length / seconds,
    server_cpu_us_per_delivery: (cpu.server / deliveries) * 1e6,
    postgres_cpu_us_per_message: (cpu.postgres / sent.length) * 1e6,
    load_generator_cpu_us_per_delivery: (cpu.load / deliveries) * 1e6,
    last_listener_p50_ms: percentile(untilAll, 0.5),
    last_listener_p99_ms: percentile(untilAll, 0.99),
  },
})
