// Measures what each message costs a gateway process without subscribers for it, and the Valkey between the processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { withoutValkey } from '../apps/server/test/valkey/valkey.ts'
import { signUp } from './load/accounts.ts'
import { Ledger } from './load/ledger.ts'
import { Sender } from './load/sender.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Joined, withJoined } from './server/joined.ts'
import { treeCpuSeconds } from './server/process-tree.ts'

const options = readOptions(
  { senders: 32, warmup: 4, seconds: 10 },
  { senders: 4, warmup: 0.2, seconds: 0.5 },
)
const { senders, warmup, seconds } = options.numbers

if (withoutValkey) console.log(`skipped: ${withoutValkey}`)
else await withJoined(['api,jobs', 'gateway'], measure)

async function measure({ processes, valkey }: Joined): Promise<void> {
  const [api, gateway] = processes
  if (api === undefined || gateway === undefined) throw new Error('a process is missing')
  const accounts = await signUp(api.port, senders)
  const sendFor = async (duration: number): Promise<number> => {
    const ledgers = accounts.map(() => new Ledger(0))
    const until = performance.now() + duration * 1000
    const running = accounts.map((account, index) =>
      new Sender({
        port: api.port,
        account,
        ledger: ledgers[index] ?? new Ledger(0),
        name: `${index}`,
      }).sendUntil(until),
    )
    await Promise.all(running)
    return ledgers.reduce((sum, ledger) => sum + ledger.ackedSince(0).length, 0)
  }
  await sendFor(warmup)
  const client = new Redis(valkey.url)
  const read = async () => ({ ...(await readValkey(client)), gateway: treeCpuSeconds([gateway.pid]) })
  // Start of an idle period, whose cost is subtracted below.
  const idle = await read()
  await sleep(seconds * 1000)
  const before = await read()
  const messages = await sendFor(seconds)
  const after = await read()
  client.disconnect()
  const each = (name: keyof typeof after) => (after[name] - 2 * before[name] + idle[name]) / messages
  report({
    ...options,
    name: 'bus-listening',
    problems: messages > 0 ? [] : ['nothing was sent'],
    figures: {
      messages_per_second: messages / seconds,
      idle_gateway_cpu_us_per_message: each('gateway') * 1e6,
      valkey_cpu_us_per_message: each('cpu') * 1e6,
      valkey_bytes_in_per_message: each('bytesIn'),
      // Only gateways subscribe to messages, and there is one here, so these bytes are the cost of one gateway.
      valkey_bytes_out_per_message: each('bytesOut'),
    },
  })
}

async function readValkey(client: Redis): Promise<{ cpu: number; bytesIn: number; bytesOut: number }> {
  const info = `${await client.info('cpu')}${await client.info('stats')}`
  const field = (name: string) => Number(new RegExp(`^${name}:(.*)`, 'm').exec(info)?.[1])
  return {
    cpu: field('used_cpu_user') + field('used_cpu_sys'),
    bytesIn: field('total_net_input_bytes'),
    bytesOut: field('total_net_output_bytes'),
  }
}
