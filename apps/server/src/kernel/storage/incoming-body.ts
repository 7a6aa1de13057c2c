import { open } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { DurableFile } from './durable-file.ts'
import { StoreError } from './object-store.ts'

/** It was the body's fault, not the store's. */
export class UploadError extends StoreError {
  constructor(message: string) {
    super('unreachable', message)
  }
}

const SILENCE_MS = 60_000

/**
 * Streams a request's body into a new file, down to the disk, no faster than that takes it. The body is left as it is
 * when writing fails: destroying it would destroy the connection on which the reason is told.
 * @throws UploadError when the body breaks off, falls silent for one to two minutes, or has another size
 */
export async function receiveBody(
  body: Readable,
  { path, sizeBytes, signal }: { path: string; sizeBytes: number; signal: AbortSignal },
): Promise<void> {
  const file = new DurableFile(await open(path, 'wx', 0o600))
  const written = closed(file)
  const stop = (reason: string) => file.destroy(new UploadError(reason))
  const breakOff = () => {
    if (!body.readableEnded) stop('the upload broke off')
  }
  const replace = () => stop('another upload of the same object began')
  let isHeard = true
  const hear = () => {
    isHeard = true
  }
  const watch = setInterval(() => {
    if (!isHeard) stop('the upload fell silent')
    isHeard = false
  }, SILENCE_MS)
  const hearEnd = () => clearInterval(watch)
  body.on('data', hear).once('end', hearEnd).once('error', breakOff).once('close', breakOff).pipe(file)
  signal.addEventListener('abort', replace)
  if (body.destroyed) breakOff()
  if (signal.aborted) replace()
  try {
    await written
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', replace)
    body.off('data', hear).off('end', hearEnd).off('error', breakOff).off('close', breakOff).unpipe(file)
  }
  if (file.bytesWritten !== sizeBytes) throw new UploadError('the upload has another size')
}

/** When it is closed, flushed if it was finished: `finish` alone comes before the flush. */
function closed(file: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    file.once('error', reject).once('close', resolve)
  })
}
