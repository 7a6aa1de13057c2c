// The child's side of a process pool.
import { once } from 'node:events'
import type { FromChild, ToChild } from './messages.ts'
import { startWatchdog } from './watchdog.ts'

/**
 * Runs jobs one after the other, as the server sends them, and exits with the server. Call it when everything is
 * loaded: the source may be readable by the server's user only.
 * @param work does a job; errors are sent as failures
 * @param onBytes receives bytes that a job asked for
 */
export async function serveJobs<Job>(
  work: (job: Job) => Promise<FromChild>,
  onBytes: (bytes: Uint8Array | null) => void = () => undefined,
): Promise<void> {
  const [, , maxRssBytes, userId = ''] = process.argv
  const watchdog = startWatchdog(Number(maxRssBytes))
  process.on('disconnect', () => process.exit())
  await once(watchdog, 'message')
  watchdog.unref()
  if (userId !== '') become(Number(userId))
  process.on('message', (message: ToChild<Job>) => {
    if (message.kind === 'bytes') onBytes(message.bytes)
    else work(message.job).catch(asFailure).then(sendToServer)
  })
  sendToServer({ kind: 'ready' })
}

export function sendToServer(message: FromChild): void {
  process.send?.(message)
}

/** Switches to another user. @throws Error if the system does not allow root to do so, which ends the process */
function become(userId: number): void {
  process.setgroups?.([])
  process.setgid?.(userId)
  process.setuid?.(userId)
}

function asFailure(error: unknown): FromChild {
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
