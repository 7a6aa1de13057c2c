export interface Backoff {
  baseDelayMs: number
  maxDelayMs: number
}

/**
 * Returns the time before a retry, in milliseconds: exponential with full jitter, so that clients that lost the server
 * together do not return together. Source: Amazon Builders' Library, "Timeouts, retries and backoff with jitter".
 * @param attempt 0 for the first retry
 */
export function backoffMs(attempt: number, { baseDelayMs, maxDelayMs }: Backoff): number {
  return Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** attempt)
}

/** Resolves after the given time; rejects with the signal's reason as soon as it is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
