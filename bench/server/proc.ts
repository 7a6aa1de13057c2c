import { readdirSync, readFileSync } from 'node:fs'

/** Ticks per second of CPU time in Linux (USER_HZ): 100 wherever Node runs. */
export const TICKS_PER_SECOND = 100

export interface Stat {
  readonly pid: number
  readonly parent: number
  /** CPU ticks of all threads of the process. */
  readonly own: number
  /** CPU ticks of child processes that have exited. */
  readonly endedChildren: number
}

/** Parses proc_pid_stat(5). Returns undefined if the process does not exist. */
export function readStat(pid: number): Stat | undefined {
  const text = readProc(`${pid}/stat`)
  if (text === '') return undefined
  // The process name may contain blanks. It ends at the last parenthesis. The state after it is field 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { pid, parent: field(4), own: field(14) + field(15), endedChildren: field(16) + field(17) }
}

export function readAllStats(): Stat[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []))
}

/** Returns the text of a file in /proc, or an empty text if the process has just ended. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}
