import { setTimeout as delay } from 'node:timers/promises'
import type { LoginResult } from '@foyer/protocol/auth'
import type { RecoveryCodes, TotpSetup } from '@foyer/protocol/second-factors'
import { publishCredentialChange } from '#src/kernel/database/session-events.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { totpCode } from '#src/people/auth/second-factors/totp.ts'
import { TEST_PASSWORD, type TestServer } from '../server.ts'
import { credentialOf, send } from './accounts.ts'

const PERIOD_MS = 30_000
const LONGEST_TEST_MS = 4000
const root = '/api/users/@me/second-factors'

/** Waits for the next TOTP period if the current one could end during a test. */
export async function awaitSteadyPeriod(): Promise<void> {
  const restMs = PERIOD_MS - (Date.now() % PERIOD_MS)
  if (restMs < LONGEST_TEST_MS) await delay(restMs)
}

/** Returns the TOTP code of a period. @param offset number of periods after the current one, or before it if negative */
export function codeAt(secret: string, offset: number): string {
  return totpCode(secret, Math.floor(Date.now() / PERIOD_MS) + offset)
}

/** Sets up an authenticator app with the previous period's code, so that the current and the next code stay unused. */
export async function turnOnApp(
  server: TestServer,
  tokens: LoginResult,
  code?: string,
): Promise<{ secret: string; codes: string[] }> {
  await awaitSteadyPeriod()
  const headers = credentialOf(tokens)
  const body = { password: TEST_PASSWORD, code }
  const prepared = await send(server, 'POST', `${root}/totp`, { headers, body })
  const { secret }: TotpSetup = JSON.parse(prepared.text)
  const confirmation = { headers, body: { code: codeAt(secret, -1) } }
  const confirmed = await send(server, 'POST', `${root}/totp/confirm`, confirmation)
  const { codes }: RecoveryCodes = JSON.parse(confirmed.text)
  return { secret, codes }
}

/** Changes second factors with the password. */
export function changeFactors(
  server: TestServer,
  tokens: LoginResult,
  [method, path]: readonly ['POST' | 'DELETE', string],
  code: string,
) {
  const body = { password: TEST_PASSWORD, code }
  return send(server, method, `${root}${path}`, { headers: credentialOf(tokens), body })
}

/** Marks all sessions of the user as confirmed with a second factor, or removes the mark. */
export async function setConfirmed(
  { deps: { database } }: TestServer,
  { id }: { id: string },
  isConfirmed: boolean,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(sql`update sessions set has_second_factor = ${isConfirmed} where user_id = ${id}`)
    publishCredentialChange(transaction, id)
  })
}
