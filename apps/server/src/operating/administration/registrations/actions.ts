import { MAX_OPERATOR_INVITES } from '@foyer/protocol/limits'
import type { CreateOperatorInviteBody, OperatorInvite } from '@foyer/protocol/operators'
import type {
  RefuseRegistrationBody,
  RegistrationSettings,
  UpdateRegistrationBody,
} from '@foyer/protocol/registration'
import { newInviteCode } from '#src/invites/codes.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { lockSettings, publishSettingsChange } from '#src/kernel/database/server-settings.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { canonicalDomain, isMailDomain } from '#src/kernel/mail/addresses.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { findTaken, insertAccount, lockAccounts, refuseTaken } from '#src/people/auth/account-queries.ts'
import {
  countOperatorInvites,
  deleteOperatorInvite,
  insertOperatorInvite,
} from '#src/people/registration/invites.ts'
import { takeRegistration } from '#src/people/registration/queries.ts'
import { type Registration, saveSettings } from '#src/people/registration/settings.ts'

export interface RegistrationDeps {
  database: Database
  registration: Registration
}

const WEEK_SECONDS = 7 * 24 * 60 * 60

/** Changes the given rules for new accounts, on every process immediately. */
export async function updateRegistration(
  { database, registration }: RegistrationDeps,
  access: OperatorAccess,
  { mode, question, domains, puzzle }: UpdateRegistrationBody,
): Promise<RegistrationSettings> {
  if (domains?.every(isMailDomain) === false)
    throw new ApiError('invalid_request', 'domains must contain mail domains like example.org')
  return database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    await lockSettings(transaction)
    const before = await registration.read(transaction)
    const given = {
      ...(mode !== undefined && { mode }),
      ...(question !== undefined && { question }),
      ...(domains !== undefined && { domains: [...new Set(domains.map(canonicalDomain))] }),
      ...(puzzle !== undefined && { puzzle }),
    }
    await saveSettings(transaction, given)
    const after = { ...before, ...given }
    const details = { before, after }
    await logOperation(transaction, access, { action: 'registration_update', type: 'server', details })
    publishSettingsChange(transaction)
    return after
  })
}

/**
 * Turns an application into an account, and mails the applicant.
 * @throws ApiError 404 for a decided application, 400 if another account has taken its username or address
 */
export async function approveRegistration(
  { database }: RegistrationDeps,
  access: OperatorAccess,
  id: string,
): Promise<void> {
  const approve = async (transaction: Transaction) => {
    await lockAccounts(transaction)
    await holdOperator(transaction, access)
    const account = await takeRegistration(transaction, id)
    if (account === undefined) throw new ApiError('unknown_registration')
    const taken = await findTaken(transaction, account)
    if (taken !== undefined) throw new ApiError(taken)
    await insertAccount(transaction, account)
    const target = { type: 'user', id, name: account.username } as const
    await logOperation(transaction, access, { action: 'registration_approve', ...target })
    await enqueueJob(transaction, 'mail_registration_approved', { user_id: id })
  }
  await database.transaction(approve).catch(refuseTaken)
}

/**
 * Deletes an application, and mails the operator's message, if there is one. The mail has no details but the username,
 * because another person may have entered the address. The log omits the name.
 * @throws ApiError 404 for an application that was decided
 */
export async function refuseRegistration(
  { database }: RegistrationDeps,
  access: OperatorAccess,
  id: string,
  { message }: RefuseRegistrationBody,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    const refused = await takeRegistration(transaction, id)
    if (refused === undefined) throw new ApiError('unknown_registration')
    const { username, email } = refused
    await logOperation(transaction, access, { action: 'registration_refuse', type: 'registration', id })
    if (message) await enqueueJob(transaction, 'mail_registration_refused', { username, email, message })
  })
}

/** @throws ApiError 400 at the limit of working invites */
export async function createOperatorInvite(
  { database }: RegistrationDeps,
  access: OperatorAccess,
  { note, max_uses = 1, max_age = WEEK_SECONDS }: CreateOperatorInviteBody,
): Promise<OperatorInvite> {
  return database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    if ((await countOperatorInvites(transaction)) >= MAX_OPERATOR_INVITES)
      throw new ApiError('too_many_operator_invites')
    const given = { note: note || null, max_uses, max_age, created_by: access.actorId }
    const invite = await insertOperatorInvite(transaction, { id: newId(), code: newInviteCode(), ...given })
    const target = { type: 'invite', id: invite.id, name: invite.note } as const
    await logOperation(transaction, access, {
      action: 'invite_create',
      ...target,
      details: { max_uses, max_age },
    })
    return invite
  })
}

/** @throws ApiError 404 for an unknown invite */
export async function removeOperatorInvite(
  { database }: RegistrationDeps,
  access: OperatorAccess,
  id: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    const invite = await deleteOperatorInvite(transaction, id)
    if (invite === undefined) throw new ApiError('unknown_invite')
    const entry = { action: 'invite_delete', type: 'invite', id, name: invite.note } as const
    await logOperation(transaction, access, entry)
  })
}
