/** Returns the message of an error, or else its code. If several addresses failed, Node's error has no message. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || String(Reflect.get(error, 'code') ?? error.name)
}
