import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdIdle, type LeanFigures, type MeasuredPhase, runPhases } from '../load/lean.ts'
import { machineCpuSeconds, treeCpuSeconds, treeMemory } from '../server/process-tree.ts'
import type { Peer, RunningPeer } from './peer.ts'

export interface Size {
  /** Closed-loop senders, each in a room with this many listeners. */
  senders: number
  listeners: number
  /** Listeners in the one large room. */
  crowd: number
  /** Idle connections, at the first reading and at the second. */
  first: number
  second: number
  /** True to measure idle connections on a fresh server, where memory is more precise. */
  idlesAlone: boolean
  /** Times in seconds. */
  warmup: number
  seconds: number
  settle: number
}

/** Numbers with their unit in the name. */
export type Figures = Record<string, number>

export interface Outcome {
  figures: Figures
  /** Scenarios that produced no figures, with the reason. */
  problems: string[]
}

const PAUSE_MS = 100
const MICROSECONDS = 1e6

/** Runs the chats on a fresh server. Measures idle connections on the same server, or on another fresh one (`idlesAlone`). */
export async function measurePeer(peer: Peer, size: Size): Promise<Outcome> {
  const outcome: Outcome = { figures: {}, problems: [] }
  await attempt(outcome, peer.name, () =>
    withPeer(peer, async (running) => {
      await attempt(outcome, `${peer.name}, sending`, () => small(running, size, outcome))
      if (!peer.skipsCrowd)
        await attempt(outcome, `${peer.name}, fan-out`, () => large(running, size, outcome))
      if (!size.idlesAlone) await attempt(outcome, `${peer.name}, idle`, () => idle(running, size, outcome))
    }),
  )
  if (size.idlesAlone)
    await attempt(outcome, `${peer.name}, idle`, () =>
      withPeer(peer, (running) => idle(running, size, outcome)),
    )
  return outcome
}

/** Runs a scenario. Its failure does not stop the others. */
async function attempt(outcome: Outcome, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    outcome.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function withPeer(peer: Peer, work: (running: RunningPeer) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-peer-'))
  try {
    const running = await peer.start(folder)
    await work(running).finally(() => running.stop())
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Measures small rooms: all senders at once, then a single one. */
async function small(running: RunningPeer, size: Size, { figures }: Outcome): Promise<void> {
  const { senders, listeners, warmup, seconds } = size
  const participants = await running.chat({ rooms: senders, listeners, senders })
  await runPhases({ ...running, participants }, [
    phaseOf(running, { senders, warmup, seconds }, ({ lean, cpu, others }) => {
      figures.send_messages_per_second = lean.messages / lean.messages_seconds
      figures.send_cpu_us_per_message = (cpu / lean.messages) * MICROSECONDS
      figures.send_load_cpu_us_per_message = (lean.load_cpu_seconds / lean.messages) * MICROSECONDS
      figures.send_ack_p50_ms = lean.ack_p50_ms
      figures.send_ack_p99_ms = lean.ack_p99_ms
      figures.send_others_share_of_machine = others
    }),
    phaseOf(running, { senders: 1, warmup: warmup / 2, seconds }, ({ lean }) => {
      figures.single_ack_p50_ms = lean.ack_p50_ms
      figures.single_ack_p99_ms = lean.ack_p99_ms
    }),
  ])
}

/** Measures one large room: at full speed, then with few messages. */
async function large(running: RunningPeer, size: Size, { figures }: Outcome): Promise<void> {
  const { senders, crowd, warmup, seconds } = size
  const participants = await running.chat({ rooms: 1, listeners: crowd, senders })
  await runPhases({ ...running, participants }, [
    phaseOf(running, { senders, warmup, seconds }, ({ lean, cpu, others }) => {
      figures.fan_out_deliveries_per_second = lean.deliveries / lean.deliveries_seconds
      figures.fan_out_cpu_us_per_delivery = (cpu / lean.deliveries) * MICROSECONDS
      figures.fan_out_load_cpu_us_per_delivery = (lean.load_cpu_seconds / lean.deliveries) * MICROSECONDS
      figures.fan_out_others_share_of_machine = others
    }),
    phaseOf(running, { senders, warmup: warmup / 2, seconds, pauseMs: PAUSE_MS }, ({ lean }) => {
      figures.paced_last_listener_p50_ms = lean.last_p50_ms
      figures.paced_last_listener_p99_ms = lean.last_p99_ms
    }),
  ])
}

interface Measured {
  lean: LeanFigures
  /** CPU seconds of the server with all its processes. */
  cpu: number
  /** Share of the machine's CPU time that neither the server nor the load used: near 0 on an idle machine. */
  others: number
}

function phaseOf(
  { processIds }: RunningPeer,
  phase: Omit<MeasuredPhase<void>, 'onMeasuring' | 'onMeasured'>,
  note: (measured: Measured) => void,
): MeasuredPhase<void> {
  const before = { cpu: 0, busy: 0, available: 0 }
  return {
    ...phase,
    onMeasuring: () => Object.assign(before, machineCpuSeconds(), { cpu: treeCpuSeconds(processIds) }),
    onMeasured: (lean) => {
      const { busy, available } = machineCpuSeconds()
      const cpu = treeCpuSeconds(processIds) - before.cpu
      const others = busy - before.busy - cpu - lean.load_cpu_seconds
      note({ lean, cpu, others: Math.max(0, others / (available - before.available)) })
    },
  }
}

async function idle(running: RunningPeer, size: Size, { figures }: Outcome): Promise<void> {
  const participants = await running.idle(size.second)
  const [before, after] = await holdIdle({ ...running, participants, first: size.first }, async () => {
    await sleep((size.settle * 1000) / 2)
    await running.collectGarbage?.()
    await sleep((size.settle * 1000) / 2)
    await running.collectGarbage?.()
    return treeMemory(running.processIds)
  })
  if (before === undefined || after === undefined) throw new Error('readings are missing')
  const count = size.second - size.first
  figures.idle_resident_kib = (after.residentKib - before.residentKib) / count
  figures.idle_proportional_kib = (after.proportionalKib - before.proportionalKib) / count
}
