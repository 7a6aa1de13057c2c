import { readdirSync, readFileSync } from 'node:fs'
import { eventually } from './eventually.ts'

/** Part of the command line of the processes that carry media. */
const COMMAND = 'voice/embedded/child.ts'

/** Returns the ids of the processes that carry the media of a program. */
export function mediaProcesses(program: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProcess(pid, 'cmdline').includes(COMMAND))
    .filter((pid) => readProcess(pid, 'status').includes(`PPid:\t${program}\n`))
    .map(Number)
}

/** Kills the processes that carry the media of a program, and waits for the next one. @returns the number of killed processes */
export async function killMedia(program: number): Promise<number> {
  const carriers = mediaProcesses(program)
  for (const pid of carriers) process.kill(pid, 'SIGKILL')
  await eventually(() => mediaProcesses(program).some((pid) => !carriers.includes(pid)), true)
  return carriers.length
}

/** Returns an empty text if the process has just ended. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
