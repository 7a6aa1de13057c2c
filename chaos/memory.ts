import { readFileSync } from 'node:fs'
import type { ServerProcess } from './installation/server-process.ts'

const SAMPLE_MS = 1000

/** Tracks the peak memory of the processes. Works on Linux only. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout
  mostMib = 0

  constructor(processes: readonly ServerProcess[]) {
    this.#timer = setInterval(() => {
      for (const { pid } of processes) this.mostMib = Math.max(this.mostMib, residentMib(pid))
    }, SAMPLE_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Returns the memory of a process in MiB; 0 if it has just ended. */
function residentMib(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kib ?? 0) / 1024
  } catch {
    return 0
  }
}
