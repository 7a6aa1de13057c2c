import { setTimeout as sleep } from 'node:timers/promises'
import type { Foyer } from '../server/foyer.ts'
import { type CpuTimes, cpuBetween, readCpuTimes } from '../server/usage.ts'
import { type Account, signUp } from './accounts.ts'
import { GatewayConnection } from './gateway-connection.ts'
import { inGroups } from './groups.ts'
import { Ledger, type Sent } from './ledger.ts'
import { Sender } from './sender.ts'

export interface ChatLoad {
  rooms: number
  /** Senders, spread evenly over the rooms. Each has one message in flight. */
  senders: number
  /** Gateway connections in each room. */
  listeners: number
  /** Seconds before the measurement. */
  warmup: number
  /** Seconds of the measurement. */
  seconds: number
}

export interface ChatResult {
  sent: Sent[]
  /** Seconds from the start of the measurement to the last acknowledgement. */
  seconds: number
  /** CPU time up to the last delivery. */
  cpu: CpuTimes
  problems: string[]
}

interface Room {
  account: Account
  ledger: Ledger
}

const OPENING_AT_ONCE = 25
const MAX_LATE_MS = 10_000
const POLL_MS = 5

/** Runs closed-loop senders in rooms of listeners. */
export async function chat(foyer: Foyer, load: ChatLoad): Promise<ChatResult> {
  const accounts = await signUp(foyer.port, load.rooms)
  const rooms = accounts.map((account) => ({ account, ledger: new Ledger(load.listeners) }))
  const listeners = await openListeners(foyer.port, rooms, load.listeners)
  const { from, cpu } = await measure(foyer, rooms, load)
  const problems = problemsOf(rooms, listeners)
  for (const listener of listeners) listener.close()
  const sent = rooms.flatMap(({ ledger }) => ledger.ackedSince(from))
  const until = sent.reduce((latest, { ackedAt }) => Math.max(latest, ackedAt), from)
  return { sent, seconds: (until - from) / 1000, cpu, problems }
}

function openListeners(port: number, rooms: readonly Room[], count: number): Promise<GatewayConnection[]> {
  const places = rooms.flatMap((room) => Array.from({ length: count }, () => room))
  return inGroups(places, OPENING_AT_ONCE, ({ account, ledger }) =>
    GatewayConnection.open(port, account, { onMessage: ledger.listener() }),
  )
}

async function measure(
  foyer: Foyer,
  rooms: readonly Room[],
  load: ChatLoad,
): Promise<{ from: number; cpu: CpuTimes }> {
  const until = performance.now() + (load.warmup + load.seconds) * 1000
  const senders = openSenders(foyer.port, rooms, load.senders)
  const sending = Promise.all(senders.map((sender) => sender.sendUntil(until)))
  // The first failure is thrown below. This only avoids an unhandled rejection.
  sending.catch(() => undefined)
  await sleep(load.warmup * 1000)
  const from = performance.now()
  const before = readCpuTimes(foyer)
  await sending
  await deliveriesArrive(rooms)
  return { from, cpu: cpuBetween(before, readCpuTimes(foyer)) }
}

function openSenders(port: number, rooms: readonly Room[], count: number): Sender[] {
  return Array.from({ length: count }, (_, index) => rooms[index % rooms.length]).flatMap((room, index) =>
    room === undefined ? [] : [new Sender({ ...room, port, name: `sender ${index}` })],
  )
}

async function deliveriesArrive(rooms: readonly Room[]): Promise<void> {
  const deadline = performance.now() + MAX_LATE_MS
  while (performance.now() < deadline && rooms.some(({ ledger }) => ledger.missing > 0)) await sleep(POLL_MS)
}

function problemsOf(rooms: readonly Room[], listeners: readonly GatewayConnection[]): string[] {
  const sum = (count: (ledger: Ledger) => number) =>
    rooms.reduce((total, { ledger }) => total + count(ledger), 0)
  const counts = {
    'deliveries are missing': sum((ledger) => Math.max(0, ledger.missing)),
    'deliveries are of messages that nobody sent': sum((ledger) => Math.max(0, -ledger.missing)),
    'deliveries were duplicated or reordered': sum((ledger) => ledger.outOfTurn),
    'listeners were cut off': listeners.filter((listener) => !listener.isOpen).length,
  }
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}
