import type { SigninBody } from '@foyer/protocol/auth'
import type { RegistrationSettings } from '@foyer/protocol/registration'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { isClaim } from '#src/operating/operators/claims.ts'
import { findOperatorInvite, isSpaceInvite } from './invites.ts'
import type { Registration } from './settings.ts'

/** The way in which a person gets their account. */
export type Admission =
  | { readonly kind: 'account'; readonly inviteId?: string; readonly onlyAsFirst?: true }
  | { readonly kind: 'application'; readonly question: string | null; readonly answer: string | null }

interface AdmissionDeps {
  database: Database
  registration: Registration
}

/**
 * Applies the server's rules for new accounts. The first account, which becomes the operator, is always allowed; so is a
 * caller with the link for the first operator.
 * @param email in its canonical spelling
 * @throws ApiError 403 if the rules do not allow an account, 400 without an answer to the operators' question
 */
export async function admit(
  { database, registration }: AdmissionDeps,
  { invite, answer }: Pick<SigninBody, 'invite' | 'answer'>,
  email: string,
): Promise<Admission> {
  const settings = await registration.current()
  const code = invite || null
  const isFree = settings.mode === 'open' && settings.domains.length === 0
  if (isFree && code === null) return { kind: 'account' }
  if (code !== null && (await isClaim(database, code))) return { kind: 'account' }
  if (!isFree && registration.firstBecomesOperator && (await isEmpty(database)))
    return { kind: 'account', onlyAsFirst: true }
  if (settings.mode === 'closed') throw new ApiError('registration_closed')
  const inviteId = code === null ? undefined : await findOperatorInvite(database, code)
  if (inviteId !== undefined) return { kind: 'account', inviteId }
  checkDomain(settings, email)
  if (settings.mode === 'approval') return applicationOf(settings, answer || null)
  if (settings.mode === 'invite') await checkSpaceInvite(database, code)
  return { kind: 'account' }
}

/**
 * Returns true if the sign-up needs no puzzle: for the first account, with the link for the first operator, or with an
 * invite of an operator.
 */
export async function needsNoPuzzle(database: Queryable, code: string | null): Promise<boolean> {
  if (code === null) return isEmpty(database)
  if ((await isClaim(database, code)) || (await findOperatorInvite(database, code)) !== undefined) return true
  return isEmpty(database)
}

/** @throws ApiError 403 for an address of an unlisted domain */
export function checkDomain({ domains }: Pick<RegistrationSettings, 'domains'>, email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (domains.length > 0 && !domains.includes(domain)) throw new ApiError('email_domain_refused')
}

function applicationOf({ question }: RegistrationSettings, answer: string | null): Admission {
  if (question !== null && answer === null) throw new ApiError('answer_required')
  return { kind: 'application', question, answer }
}

async function checkSpaceInvite(database: Queryable, code: string | null): Promise<void> {
  if (code === null) throw new ApiError('invite_required')
  if (!(await isSpaceInvite(database, code))) throw new ApiError('invite_unusable')
}

async function isEmpty(database: Queryable): Promise<boolean> {
  const found = await database.query(sql`select from users limit 1`)
  return found.length === 0
}
