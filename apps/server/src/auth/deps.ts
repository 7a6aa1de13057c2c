import type { AttemptLimits } from '#src/kernel/attempt-limits.ts'
import type { Bus } from '#src/kernel/bus.ts'
import type { Credentials } from '#src/kernel/credentials.ts'
import type { Database } from '#src/kernel/database.ts'
import type { Passwords } from '#src/kernel/passwords.ts'
import type { TokenSigner } from '#src/kernel/tokens.ts'

export interface AuthDeps {
  database: Database
  bus: Bus
  signer: TokenSigner
  credentials: Credentials
  passwords: Passwords
  attempts: AttemptLimits
}
