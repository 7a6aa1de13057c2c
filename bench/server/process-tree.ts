import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second wherever it runs Node (USER_HZ). */
const TICKS_PER_SECOND = 100

/** CPU seconds, user and system, of these processes and all their descendants, ended ones included. */
export function treeCpuSeconds(roots: readonly number[]): number {
  const ticks = treeOf(roots).reduce((sum, { own, endedChildren }) => sum + own + endedChildren, 0)
  return ticks / TICKS_PER_SECOND
}

/** CPU seconds since the machine's start: busy and available ones. */
export function machineCpuSeconds(): { busy: number; available: number } {
  const ticks = readProc('stat').split('\n', 1).join('').split(/ +/).slice(1, 9).map(Number)
  const available = ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
  const [, , , idle = 0, waiting = 0] = ticks
  return { available, busy: available - (idle + waiting) / TICKS_PER_SECOND }
}

export interface Memory {
  /** Sum of each process's memory. Shared memory counts several times. */
  residentKib: number
  /** Divides shared memory among the processes that share it. */
  proportionalKib: number
}

/** Memory of these processes and all their descendants. */
export function treeMemory(roots: readonly number[]): Memory {
  const memories = treeOf(roots).map(({ pid }) => readProc(`${pid}/smaps_rollup`))
  const sum = (name: string) =>
    memories.reduce(
      (total, text) => total + Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0),
      0,
    )
  return { residentKib: sum('Rss'), proportionalKib: sum('Pss') }
}

interface Stat {
  pid: number
  parent: number
  /** Ticks of all its threads. */
  own: number
  /** Ticks of child processes that have exited. */
  endedChildren: number
}

function treeOf(roots: readonly number[]): Stat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(Number(name)) : []))
  const tree = all.filter(({ pid }) => roots.includes(pid))
  // The array grows during this loop.
  for (const { pid } of tree) tree.push(...all.filter((stat) => stat.parent === pid && !tree.includes(stat)))
  return tree
}

/** Parses proc_pid_stat(5). Returns an empty array if the process does not exist. */
function readStat(pid: number): Stat[] {
  const text = readProc(`${pid}/stat`)
  if (text === '') return []
  // The name may contain blanks. It ends at the last bracket, and the state is field 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return [{ pid, parent: field(4), own: field(14) + field(15), endedChildren: field(16) + field(17) }]
}

/** Empty when the process has just ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}
