import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Foyer } from './foyer.ts'

/** USER_HZ: 100 on every Linux platform that Node.js supports. */
const TICKS_PER_SECOND = 100
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

/** Returns the text of a file in /proc, or an empty text if the process has just ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the CPU seconds of one process, with all its threads. */
export function processSeconds(pid: number): number {
  const stat = readStat(pid)
  return stat === undefined ? 0 : stat.own / TICKS_PER_SECOND
}

/** Returns the CPU seconds of the process and its children, including ended ones. */
function familySeconds(pid: number): number {
  const children = readdirSync('/proc').map((name) => (/^\d+$/.test(name) ? readStat(name) : undefined))
  const living = children.reduce((sum, stat) => sum + (stat?.parent === pid ? stat.own : 0), 0)
  const head = readStat(pid)
  return head === undefined ? 0 : (head.own + head.endedChildren + living) / TICKS_PER_SECOND
}

interface Stat {
  parent: number
  /** CPU ticks of all threads of the process. */
  own: number
  /** CPU ticks of child processes that have exited. */
  endedChildren: number
}

/** Parses proc_pid_stat(5). Returns undefined if the process does not exist. */
function readStat(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name may contain blanks. It ends at the last parenthesis. The state after it is field 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number) => Number(fields[number - 3])
    return { parent: field(4), own: field(14) + field(15), endedChildren: field(16) + field(17) }
  } catch {
    return undefined
  }
}
