// The attacker's process. It is separate so that its own work does not delay the measurement.
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Attacker } from './attacker.ts'
import { attackNamed } from './attacks.ts'
import type { Fixture } from './fixture.ts'

/** Low priority, because a real attacker has their own machine and takes no CPU time from the server. */
const NICENESS = 10

/** Message that begins an attack. The next message ends the attack. */
export interface Order {
  name: string
  port: number
  fixture: Fixture
  isSmoke: boolean
}

/** Maximum milliseconds for which a smoke test waits for an attack's first result. */
const MAX_WAIT_MS = 20_000

interface Attacking {
  attacker: Attacker
  over: AbortController
}

let current: Attacking | undefined

setPriority(NICENESS)
process.once('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  if (current === undefined) void attack(order)
  else void end(current)
})
process.send?.('ready')

async function attack({ name, ...given }: Order): Promise<void> {
  const over = new AbortController()
  const attacker = new Attacker(given, over.signal)
  current = { attacker, over }
  await attackNamed(name).run(attacker, over.signal)
  current = undefined
  process.send?.(attacker.tally)
}

async function end({ attacker, over }: Attacking): Promise<void> {
  if (attacker.isSmoke) await Promise.race([attacker.acted, sleep(MAX_WAIT_MS)])
  over.abort()
}
