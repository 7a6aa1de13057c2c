// The child's side of a pool of processes.
import { Worker } from 'node:worker_threads'
import type { FromChild, ToChild } from './messages.ts'

/**
 * Does one job after the other, as the server sends them, and ends with the server.
 * @param work what becomes of a job; whatever it throws is told as a failure
 * @param onBytes takes bytes that a job asked for
 */
export function serveJobs<Job>(
  work: (job: Job) => Promise<FromChild>,
  onBytes: (bytes: Uint8Array | null) => void = () => undefined,
): void {
  const [, , maxRssBytes] = process.argv
  new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: maxRssBytes }).unref()
  process.on('disconnect', () => process.exit())
  process.on('message', (message: ToChild<Job>) => {
    if (message.kind === 'bytes') onBytes(message.bytes)
    else work(message.job).catch(asFailure).then(sendToServer)
  })
}

export function sendToServer(message: FromChild): void {
  process.send?.(message)
}

function asFailure(error: unknown): FromChild {
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
