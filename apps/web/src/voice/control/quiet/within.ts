/** Maximum wait for each step of loading the filter. The microphone does not open until the filter is ready or has failed. */
export const PATIENCE_MS = 10_000

/** Rejects if the promise takes too long: some failures in frames and worklets are silent, and downloads stall. */
export function within<Value>(promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
