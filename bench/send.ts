// Measures the cost of a message: closed-loop senders, each in a room with ten listeners.
import { chat } from './load/chat.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { withFoyer } from './server/foyer.ts'

const options = readOptions(
  { senders: 32, rooms: 0, listeners: 10, warmup: 5, seconds: 10 },
  { senders: 4, warmup: 0.2, seconds: 0.5 },
)
const load = { ...options.numbers, rooms: options.numbers.rooms || options.numbers.senders }
const { sent, seconds, cpu, problems } = await withFoyer(options, (foyer) => chat(foyer, load))

const messages = sent.length
const acks = sent.map(({ sentAt, ackedAt }) => ackedAt - sentAt)
report({
  ...options,
  name: `send-${load.senders}`,
  problems,
  figures: {
    messages,
    messages_per_second: messages / seconds,
    ack_p50_ms: percentile(acks, 0.5),
    ack_p99_ms: percentile(acks, 0.99),
    server_cpu_us_per_message: (cpu.server / messages) * 1e6,
    postgres_cpu_us_per_message: (cpu.postgres / messages) * 1e6,
    server_and_postgres_cpu_us_per_message: ((cpu.server + cpu.postgres) / messages) * 1e6,
    load_generator_cpu_us_per_message: (cpu.load / messages) * 1e6,
    deliveries: messages * load.listeners,
  },
})
