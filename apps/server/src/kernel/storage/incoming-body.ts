import { open } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { DurableFile } from './durable-file.ts'
import { StoreError } from './object-store.ts'

/** An error of the body, not of the store. */
export class UploadError extends StoreError {
  constructor(message: string) {
    super('unreachable', message)
  }
}

const SILENCE_MS = 60_000

/**
 * Streams a request's body into a new file, at the pace of the disk. If writing fails, the body is not destroyed,
 * because that would destroy the connection that carries the error.
 * @throws UploadError if the body breaks off, stalls for one to two minutes, or does not have the declared size
 */
export async function receiveBody(
  body: Readable,
  { path, sizeBytes, signal }: { path: string; sizeBytes: number; signal: AbortSignal },
): Promise<void> {
  const file = new DurableFile(await open(path, 'wx', 0o600))
  const written = closed(file)
  const stop = (reason: string) => file.destroy(new UploadError(reason))
  const breakOff = () => {
    if (!body.readableEnded) stop('the upload was interrupted')
  }
  const replace = () => stop('another upload of the same object began')
  let isHeard = true
  const noteData = () => {
    isHeard = true
  }
  const watch = setInterval(() => {
    if (!isHeard) stop('the upload sent no data for too long')
    isHeard = false
  }, SILENCE_MS)
  const noteEnd = () => clearInterval(watch)
  body.on('data', noteData).once('end', noteEnd).once('error', breakOff).once('close', breakOff).pipe(file)
  signal.addEventListener('abort', replace)
  if (body.destroyed) breakOff()
  if (signal.aborted) replace()
  try {
    await written
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', replace)
    body.off('data', noteData).off('end', noteEnd).off('error', breakOff).off('close', breakOff).unpipe(file)
  }
  if (file.bytesWritten !== sizeBytes) throw new UploadError('the upload does not have the announced size')
}

/** Resolves when the file is closed, and flushed if it was finished: `finish` alone comes before the flush. */
function closed(file: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    file.once('error', reject).once('close', resolve)
  })
}
