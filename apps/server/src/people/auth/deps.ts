import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import type { AttemptLimits } from '#src/kernel/limits/attempt-limits.ts'
import type { Providers } from '#src/kernel/oidc/providers.ts'
import type { Credentials } from '#src/kernel/secrets/credentials.ts'
import type { Passwords } from '#src/kernel/secrets/passwords.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { SecondFactorRules } from '#src/kernel/secrets/second-factor-rule.ts'
import type { TokenSigner } from '#src/kernel/secrets/tokens.ts'
import type { SignupPuzzles } from '#src/people/registration/puzzles.ts'
import type { Registration } from '#src/people/registration/settings.ts'
import type { DeviceMacs } from './devices/macs.ts'
import type { RecoveryCodeMacs } from './second-factors/recovery-codes.ts'

export interface AuthDeps {
  database: Database
  bus: Bus
  signer: TokenSigner
  credentials: Credentials
  passwords: Passwords
  attempts: AttemptLimits
  sealer: Sealer
  recoveryCodeMacs: RecoveryCodeMacs
  secondFactorRules: SecondFactorRules
  deviceMacs: DeviceMacs
  registration: Registration
  signupPuzzles: SignupPuzzles
  providers: Providers
}

export type AuthRouteDeps = AuthDeps & { config: Config; log: Pick<Logger, 'warn'> }
