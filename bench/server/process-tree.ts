import { readAllStats, readProc, type Stat, TICKS_PER_SECOND } from './proc.ts'

/** Returns the CPU seconds, user and system, of these processes and all their descendants, including ended ones. */
export function treeCpuSeconds(roots: readonly number[]): number {
  const ticks = treeOf(roots).reduce((sum, { own, endedChildren }) => sum + own + endedChildren, 0)
  return ticks / TICKS_PER_SECOND
}

/** Returns CPU seconds since the machine's start: the used ones, and the total that all cores had available. */
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

function treeOf(roots: readonly number[]): Stat[] {
  const all = readAllStats()
  const tree = all.filter(({ pid }) => roots.includes(pid))
  // The array grows during this loop.
  for (const { pid } of tree) tree.push(...all.filter((stat) => stat.parent === pid && !tree.includes(stat)))
  return tree
}
