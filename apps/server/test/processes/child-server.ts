import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Config } from '#src/config.ts'

const MAIN = fileURLToPath(new URL('child-server-main.ts', import.meta.url))

/** A server in its own process. */
export interface ChildServer {
  url: string
  /** Kills the process, like a power cut, and waits for its end. */
  kill(): Promise<void>
  /** Suspends the process until `goOn`. */
  pause(): void
  goOn(): void
}

/** @param maxOpenFiles open-file limit of the new process; by default the limit of this process */
export async function startChildServer(
  given: { config: Config; connection: pg.ClientConfig },
  maxOpenFiles?: number,
): Promise<ChildServer> {
  const command = [process.execPath, MAIN, JSON.stringify(given)]
  const bounded = maxOpenFiles === undefined ? 'exec "$@"' : `ulimit -n ${maxOpenFiles} && exec "$@"`
  const child = spawn('sh', ['-c', bounded, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  // An aborted test must not leave a process running.
  process.once('exit', kill)
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('the server did not start'))),
  ])
  return {
    url,
    pause: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    async kill() {
      kill()
      await exited
      process.off('exit', kill)
    },
  }
}
