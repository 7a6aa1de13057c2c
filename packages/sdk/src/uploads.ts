import type { Upload } from '@foyer/protocol/attachments'
import type { ChannelAddress } from './channel-path.ts'
import type { Client } from './client.ts'
import { defer } from './deferred.ts'
import { ApiError, type CallOptions, NetworkError } from './rest.ts'

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  /** Receives the number of sent bytes: repeatedly in browsers, elsewhere once at the end. */
  onProgress?: (sentBytes: number) => void
}

/** Time without progress or an answer after which an upload in a browser fails. */
const MAX_SILENCE_MS = 120_000

/**
 * Uploads a file directly to the room's storage, of any size that the storage accepts. The upload is not retried. If it
 * fails or `signal` cancels it, the reserved space is released.
 * @returns the id to send in a message's `attachment_ids` within 24 hours
 * @throws {ApiError} the server or the storage refuses the file
 * @throws {NetworkError} the server or the storage could not be reached, or does not let this page upload to it
 */
export async function uploadFile(
  client: Pick<Client, 'attachments' | 'addressOf'>,
  channel: ChannelAddress,
  file: File,
  { onProgress = () => undefined, signal = new AbortController().signal }: UploadOptions = {},
): Promise<string> {
  const body = {
    filename: file.name,
    size_bytes: file.size,
    content_type: file.type === '' ? 'application/octet-stream' : file.type,
  }
  const { attachment_id, upload } = await client.attachments.create(channel, body, { signal })
  const url = client.addressOf(upload.url)
  const send = typeof XMLHttpRequest === 'undefined' ? sendByFetch : sendByXhr
  try {
    signal.throwIfAborted()
    await send({ ...upload, url }, file, { onProgress, signal })
  } catch (error) {
    // Not awaited, so that the caller gets the error at once. If cancelling fails, a sweep deletes the upload after a day.
    client.attachments.cancel(channel, attachment_id).catch(() => undefined)
    throw error
  }
  return attachment_id
}

type Target = Upload['upload']

async function sendByFetch(target: Target, file: File, options: Required<UploadOptions>): Promise<void> {
  const { method, headers, url } = target
  const { onProgress, signal } = options
  const response = await fetch(url, { method, headers, body: file, signal }).catch((error) => {
    signal.throwIfAborted()
    throw unreachable(error)
  })
  await response.body?.cancel()
  if (!response.ok) throw refused(response)
  onProgress(file.size)
}

/** Uses XMLHttpRequest, because fetch in browsers cannot report upload progress. */
function sendByXhr(target: Target, file: File, options: Required<UploadOptions>): Promise<void> {
  const { onProgress, signal } = options
  const xhr = new XMLHttpRequest()
  const { promise, resolve, reject } = defer<void>()
  const cancel = () => reject(signal.reason)
  const fail = () => reject(unreachable(undefined))
  let silence = setTimeout(fail, MAX_SILENCE_MS)
  xhr.upload.onprogress = ({ loaded }) => {
    clearTimeout(silence)
    silence = setTimeout(fail, MAX_SILENCE_MS)
    onProgress(loaded)
  }
  xhr.onerror = fail
  xhr.onload = () => {
    const isDone = xhr.status >= 200 && xhr.status < 300
    return isDone ? resolve() : reject(refused({ status: xhr.status, headers: readHeaders(xhr) }))
  }
  signal.addEventListener('abort', cancel)
  xhr.open(target.method, target.url)
  for (const [name, value] of Object.entries(target.headers)) xhr.setRequestHeader(name, value)
  xhr.send(file)
  return promise.finally(() => {
    clearTimeout(silence)
    signal.removeEventListener('abort', cancel)
    xhr.abort()
  })
}

function readHeaders(xhr: XMLHttpRequest): Headers {
  const lines = xhr.getAllResponseHeaders().trim().split('\r\n')
  return new Headers(
    lines
      .filter((line) => line !== '')
      .map((line): [string, string] => {
        const [name = '', ...value] = line.split(':')
        return [name, value.join(':').trim()]
      }),
  )
}

/** Hides the storage's own error, which has no fixed format and is meant for its operators. */
function refused({ status, headers }: { status: number; headers: Headers }): ApiError {
  return new ApiError(status, `the storage refused the file (${status})`, headers)
}

function unreachable(cause: unknown): NetworkError {
  return new NetworkError('the storage could not be reached', { cause })
}
