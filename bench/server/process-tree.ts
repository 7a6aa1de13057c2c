import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second wherever it runs Node (USER_HZ). */
const TICKS_PER_SECOND = 100

/** CPU seconds, user and system, of these processes and all below them: those that live, and those they have buried. */
export function treeCpuSeconds(roots: readonly number[]): number {
  const ticks = treeOf(roots).reduce((sum, { own, buried }) => sum + own + buried, 0)
  return ticks / TICKS_PER_SECOND
}

/** CPU seconds since the machine's start: those it was busy, and those there were. */
export function machineCpuSeconds(): { busy: number; available: number } {
  const ticks = readProc('stat').split('\n', 1).join('').split(/ +/).slice(1, 9).map(Number)
  const available = ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
  const [, , , idle = 0, waiting = 0] = ticks
  return { available, busy: available - (idle + waiting) / TICKS_PER_SECOND }
}

export interface Memory {
  /** What each process holds, added up: what they share counts several times. */
  residentKib: number
  /** What they share is divided among those who share it. */
  proportionalKib: number
}

/** The memory of these processes and all below them. */
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
  /** Ticks of the children it has waited for. */
  buried: number
}

function treeOf(roots: readonly number[]): Stat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readStat(Number(name)) : []))
  const tree = all.filter(({ pid }) => roots.includes(pid))
  // It grows while it is walked.
  for (const { pid } of tree) tree.push(...all.filter((stat) => stat.parent === pid && !tree.includes(stat)))
  return tree
}

/** See proc_pid_stat(5). Nothing when there is no such process any more. */
function readStat(pid: number): Stat[] {
  const text = readProc(`${pid}/stat`)
  if (text === '') return []
  // The name may hold blanks; it ends at the last bracket, and the state is field 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return [{ pid, parent: field(4), own: field(14) + field(15), buried: field(16) + field(17) }]
}

/** Empty when the process has just ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}
