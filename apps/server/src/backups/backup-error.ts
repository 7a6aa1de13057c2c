/** A backup or a restore that cannot go on. The message is one sentence for the operator, without secrets. */
export class BackupError extends Error {}

/** Returns the message of an error for the operator. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
