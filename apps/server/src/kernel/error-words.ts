/** Returns the message of an error for the operator. For several addresses that failed, Node reports only the codes. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || String(Reflect.get(error, 'code') ?? error.name)
}
