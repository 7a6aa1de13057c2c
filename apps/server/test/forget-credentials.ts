import { publishCredentialChange } from '#src/kernel/database/session-events.ts'
import type { RunningServer } from '#src/start.ts'

/** Invalidates cached credentials after a test has changed an account directly in the database. */
export function forgetCredentials({ deps }: RunningServer, userId: string): Promise<void> {
  return deps.database.transaction(async (transaction) => publishCredentialChange(transaction, userId))
}
