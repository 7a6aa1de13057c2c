import { setTimeout as sleep } from 'node:timers/promises'
import { SfuProcess } from '../../apps/server/test/voice/sfu-process.ts'
import { percentile } from '../load/latencies.ts'
import { processSeconds } from '../server/usage.ts'
import { fillRoom, type LoadRoom, Reception, speakAll } from './room.ts'

/** Number of listeners that inspect their packets. For the other listeners, the native library only decodes packets. */
const LOOKING = 5

export interface ForwardingLoad {
  publishers: number
  listeners: number
  seconds: number
  warmup: number
}

export interface Forwarding {
  packetsPerSecond: number
  cpuUsPerPacket: number
  cores: number
  loadCores: number
  delayP50Ms: number
  delayP99Ms: number
  /** Share of the packets for the inspecting listeners that were lost. */
  lostShare: number
  dropped: number
}

/** Measures one room in one media process: all publishers speak, and each listener receives eight of them. */
export async function measureForwarding(load: ForwardingLoad): Promise<Forwarding> {
  const sfu = await SfuProcess.start()
  const room = await fillRoom(sfu, load)
  const receptions = room.listeners.slice(0, LOOKING).map((listener) => new Reception(listener))
  const hush = speakAll(room.publishers)
  await sleep(load.warmup * 1000)
  for (const reception of receptions) reception.isMeasuring = true
  const before = await takeUsage(sfu)
  await sleep(load.seconds * 1000)
  const after = await takeUsage(sfu)
  for (const reception of receptions) reception.isMeasuring = false
  hush()
  close(room)
  await sfu.stop()
  return { ...usageBetween(before, after), ...received(receptions) }
}

interface Usage {
  atSeconds: number
  cpuSeconds: number
  loadCpuSeconds: number
  forwarded: number
  dropped: number
}

async function takeUsage(sfu: SfuProcess): Promise<Usage> {
  const { packetsForwarded, packetsDropped } = await sfu.ask('stats', {})
  const { user, system } = process.cpuUsage()
  return {
    atSeconds: performance.now() / 1000,
    cpuSeconds: processSeconds(sfu.child.pid ?? 0),
    loadCpuSeconds: (user + system) / 1e6,
    forwarded: packetsForwarded,
    dropped: packetsDropped,
  }
}

function usageBetween(before: Usage, after: Usage) {
  const seconds = after.atSeconds - before.atSeconds
  const packets = after.forwarded - before.forwarded
  const cpuSeconds = after.cpuSeconds - before.cpuSeconds
  return {
    packetsPerSecond: packets / seconds,
    cpuUsPerPacket: (cpuSeconds * 1e6) / packets,
    cores: cpuSeconds / seconds,
    loadCores: (after.loadCpuSeconds - before.loadCpuSeconds) / seconds,
    dropped: after.dropped - before.dropped,
  }
}

function received(receptions: readonly Reception[]) {
  const delaysMs = receptions.flatMap((reception) => reception.delaysMs)
  const lost = receptions.reduce((sum, reception) => sum + reception.lost, 0)
  return {
    delayP50Ms: percentile(delaysMs, 0.5),
    delayP99Ms: percentile(delaysMs, 0.99),
    lostShare: lost / (lost + delaysMs.length),
  }
}

function close({ publishers, listeners }: LoadRoom): void {
  for (const client of [...publishers, ...listeners]) client.close()
}
