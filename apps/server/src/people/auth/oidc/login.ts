import type { LoginBody, LoginResult } from '@foyer/protocol/auth'
import type { ProviderLoginBody, ProviderSignupBody } from '@foyer/protocol/oidc'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { admit } from '#src/people/registration/admission.ts'
import { checkBirthdate } from '#src/people/users/birthdate.ts'
import { insertIdentity, refuseTaken } from '../account-queries.ts'
import { handOut, type LoginClient, logIn, openSession, refusalOf } from '../actions/sessions.ts'
import { checkFree, openAdmitted } from '../actions/signin.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { noteLogin } from '../devices/actions.ts'
import type { Opener } from '../queries.ts'
import { LOGIN_REFUSALS, withCode } from '../second-factors/proof.ts'
import { mailIdentityChange } from './identity-mails.ts'
import { followGroups } from './operator-groups.ts'
import { findOwnerOf } from './queries.ts'
import type { Ticket } from './sealed.ts'
import { followSpaceGroups } from './space-groups.ts'
import { spendOnce } from './spent-tokens.ts'

/** A browser's ticket, and the provider that confirmed it. */
export interface GivenTicket {
  ticket: Ticket
  provider: Provider
}

/**
 * Opens a session of the account that the identity is linked to, as a login with a password does. The account's second
 * factor is asked for, too.
 * @throws ApiError 404 for an identity without an account, 401 for a code that is missing or wrong, 403 for a locked account
 */
export async function logInByTicket(
  deps: AuthDeps,
  given: GivenTicket,
  { code }: ProviderLoginBody,
  client: AuthClient,
): Promise<LoginResult> {
  const identity = openerOf(given)
  const userId = await findOwnerOf(deps.database, identity)
  if (userId === undefined) throw new ApiError('unknown_identity')
  const session = await withCode(deps, userId, { code, refusals: LOGIN_REFUSALS }, (spend) =>
    deps.database.transaction(async (transaction) => {
      // The login counts as confirmed, because the provider decides how people prove who they are.
      const proof = { passwordHash: undefined, identity, isConfirmed: true }
      const opening = { id: newId(), userId, ...proof, ...client }
      const opened = await openSession(transaction, opening)
      if (opened === undefined) throw await refusalOf(transaction, userId, 'unknown_identity')
      // Checked again now that the user's row is locked: from here on, the identity stays linked.
      if ((await findOwnerOf(transaction, identity)) !== userId) throw new ApiError('unknown_identity')
      await spend(transaction)
      await noteLogin(transaction, deps, { userId, client, isKnown: false })
      await spendTicket(transaction, given)
      await followGroups(transaction, userId, given.provider, given.ticket)
      await followSpaceGroups(transaction, { userId, ...given, isNew: false })
      return opened
    }),
  )
  return handOut(deps, session)
}

/**
 * Creates an account for the identity, by the server's rules for new accounts. It has no password. The provider has let
 * the person in, so there is no puzzle.
 * @throws ApiError with the errors of `createAccount`, and 400 without an address that the provider has verified or the
 * person entered
 */
export async function signUpByTicket(
  deps: AuthDeps,
  given: GivenTicket,
  body: ProviderSignupBody,
  client: AuthClient,
): Promise<LoginResult> {
  const { ticket, provider } = given
  const { username, alias = null, birthdate = null } = body
  const email = body.email === undefined ? ticket.email : canonicalAddress(body.email)
  if (email === null) throw new ApiError('email_required')
  checkBirthdate(birthdate)
  const opener = openerOf(given)
  if ((await findOwnerOf(deps.database, opener)) !== undefined) throw new ApiError('identity_taken')
  const admission = await admit(deps, body, email)
  await checkFree(deps.database, { username, email })
  const isEmailVerified = email.toLowerCase() === ticket.email?.toLowerCase()
  const identity = identityOf(given)
  const account = {
    id: newId(),
    username,
    email,
    passwordHash: null,
    alias,
    birthdate,
    isEmailVerified,
    identity,
  }
  const begin = (transaction: Transaction) => spendTicket(transaction, given)
  const end = (transaction: Transaction) => followGroups(transaction, account.id, provider, ticket)
  return openAdmitted(deps, { account, admission, client, opener, begin, end })
}

/**
 * Logs in to an existing account, and links the identity to it. An equal email address alone links nothing, because
 * anyone may have entered that address at the provider.
 * @throws ApiError with the errors of `logIn`, and 400 for an identity or a provider that is already linked
 */
export async function linkByTicket(
  deps: AuthDeps,
  given: GivenTicket,
  body: LoginBody,
  client: LoginClient,
): Promise<LoginResult> {
  const link = async (transaction: Transaction, userId: string) => {
    await spendTicket(transaction, given)
    await insertIdentity(transaction, userId, identityOf(given))
    await mailIdentityChange(transaction, userId, { change: 'linked', provider: given.provider })
    await followGroups(transaction, userId, given.provider, given.ticket)
    await followSpaceGroups(transaction, { userId, ...given, isNew: true })
  }
  return logIn(deps, body, client, { opener: openerOf(given), link }).catch(refuseTaken)
}

/** @throws ApiError 403 for a ticket that was already used, for example in another tab */
async function spendTicket(transaction: Transaction, { ticket }: GivenTicket): Promise<void> {
  const expiresAt = new Date(ticket.expiresAt)
  const isFirst = await spendOnce(transaction, { kind: 'ticket', value: ticket.id, expiresAt })
  if (!isFirst) throw new ApiError('no_ticket')
}

export function openerOf({ ticket, provider }: GivenTicket): Opener {
  const { subject, providerSession } = ticket
  return { issuer: provider.settings.issuer, subject, providerSession }
}

function identityOf({ ticket, provider }: GivenTicket) {
  return { issuer: provider.settings.issuer, subject: ticket.subject, name: ticket.name }
}
