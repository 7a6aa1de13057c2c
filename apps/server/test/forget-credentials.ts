import { publishCredentialChange } from '#src/kernel/database/session-events.ts'
import type { RunningServer } from '#src/start.ts'

/** For tests that change an account behind the server's back. */
export function forgetCredentials({ deps }: RunningServer, userId: string): Promise<void> {
  return deps.database.transaction(async (transaction) => publishCredentialChange(transaction, userId))
}
