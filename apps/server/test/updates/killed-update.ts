import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

const PROGRAM = join(import.meta.dirname, 'update-main.ts')

/**
 * Updates a database in a child process, and kills the process `afterMs` after the update has begun.
 * @param alsoKill kills other processes at the same time
 */
export async function killUpdate(
  connection: pg.ClientConfig,
  afterMs: number,
  alsoKill: () => void = () => undefined,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(connection)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  child.stdout.resume()
  await Promise.race([closed, delay(afterMs, undefined, { ref: false })])
  alsoKill()
  child.kill('SIGKILL')
  await closed
}
