import { writeFileSync } from 'node:fs'
import type { Foyer } from './foyer.ts'
import { readAllStats, readProc, readStat, TICKS_PER_SECOND } from './proc.ts'

const PAGE_BYTES = 4096

/** CPU time in seconds, user and system, of each part. */
export interface CpuTimes {
  server: number
  postgres: number
  /** CPU time of this process, which generates the load. */
  load: number
}

export function readCpuTimes({ pid, postgresPid }: Foyer): CpuTimes {
  const { user, system } = process.cpuUsage()
  return { server: processSeconds(pid), postgres: familySeconds(postgresPid), load: (user + system) / 1e6 }
}

export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  return {
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    load: after.load - before.load,
  }
}

/** Resident memory of a process. */
export function residentBytes(pid: number): number {
  const pages = readProc(`${pid}/statm`).split(' ')[1] ?? 0
  return Number(pages) * PAGE_BYTES
}

/** Peak of resident memory since `resetPeak`. */
export function residentPeakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`))?.[1] ?? 0) * 1024
}

/** Resets the peak of resident memory; see proc_pid_clear_refs(5). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Returns the ids of the server's child processes that decode media. */
export function mediaProcessesOf(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim().split(' ')
  return children.filter((child) => readProc(`${child}/cmdline`).includes('media/child.ts')).map(Number)
}

/** Returns the CPU seconds of one process, with all its threads. */
export function processSeconds(pid: number): number {
  const stat = readStat(pid)
  return stat === undefined ? 0 : stat.own / TICKS_PER_SECOND
}

/** Returns the CPU seconds of the process and its children, including ended ones. */
function familySeconds(pid: number): number {
  const living = readAllStats().reduce((sum, { parent, own }) => sum + (parent === pid ? own : 0), 0)
  const head = readStat(pid)
  return head === undefined ? 0 : (head.own + head.endedChildren + living) / TICKS_PER_SECOND
}
