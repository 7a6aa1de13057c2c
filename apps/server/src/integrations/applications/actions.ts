import type {
  Application,
  CreateApplicationBody,
  CreateApplicationResult,
  UpdateApplicationBody,
} from '@foyer/protocol/applications'
import { MAX_APPLICATIONS } from '@foyer/protocol/limits'
import type { Transaction } from '#src/kernel/database/database.ts'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { type ErasureDeps, eraseAccount, type Step } from '#src/people/accounts/erasure.ts'
import { createBotToken } from '#src/people/auth/bot-tokens.ts'
import { isAppliedFor, lockUsers } from '#src/people/users/queries.ts'
import { aliasOf, usernamesFor } from './bot-names.ts'
import {
  countApplications,
  deleteApplicationRow,
  findApplication,
  insertApplication,
  insertBot,
  listApplications,
  lockApplication,
  updateApplicationRow,
} from './queries.ts'

export type ApplicationDeps = ErasureDeps

/**
 * Creates an application with its bot. Only this answer contains the bot's token.
 * @throws ApiError 400 for a taken username, and at the caller's limit of applications
 */
export async function createApplication(
  { database }: ApplicationDeps,
  { user: owner }: Caller,
  body: CreateApplicationBody,
): Promise<CreateApplicationResult> {
  return database.transaction(async (transaction) => {
    // Locked, so that an owner's applications are created and counted one after another.
    const [user] = await lockUsers(transaction, [owner.id])
    if (user === undefined) throw new ApiError('authentication_required')
    const count = await countApplications(transaction, owner.id)
    if (count >= MAX_APPLICATIONS) throw new ApiError('too_many_applications')
    const id = await createBot(transaction, body)
    const token = await createBotToken(transaction, id)
    const { name, description, bot_public = true } = body
    await insertApplication(transaction, {
      id,
      ownerId: owner.id,
      name,
      description: description || null,
      isPublic: bot_public,
    })
    const application = await findApplication(transaction, id)
    if (application === undefined) throw new Error('the new application cannot be read')
    return { application, token }
  })
}

/** Changes the given fields; null clears a field. The bot changes its own name. */
export async function updateApplication(
  { database }: ApplicationDeps,
  { id }: Application,
  changes: UpdateApplicationBody,
): Promise<Application> {
  return database.transaction(async (transaction) => {
    const isThere = await updateApplicationRow(transaction, id, changes)
    const application = isThere ? await findApplication(transaction, id) : undefined
    if (application === undefined) throw new ApiError('unknown_application')
    return application
  })
}

/**
 * Deletes the application and its bot's account. The bot's messages stay.
 * @param begin extra work that comes before anything is deleted, in the same transaction
 */
export async function deleteApplication(
  deps: ApplicationDeps,
  { id }: Application,
  begin?: Step,
): Promise<void> {
  const close = async (transaction: Transaction) => {
    const wasThere = await deleteApplicationRow(transaction, id)
    if (!wasThere) throw new ApiError('unknown_application')
  }
  await eraseAccount(deps, id, { begin, close })
}

/**
 * Deletes all applications of a user. Skips applications that another request deletes at the same time.
 * @param begin extra work to do in the transaction of the first deletion
 * @returns true if nothing was deleted, and the extra work therefore did not run
 */
export async function deleteApplicationsOf(
  deps: ApplicationDeps,
  ownerId: string,
  begin?: Step,
): Promise<boolean> {
  let isToBegin = true
  for (const application of await listApplications(deps.database, ownerId)) {
    const isDeleted = await deleteIfThere(deps, application, isToBegin ? begin : undefined)
    isToBegin &&= !isDeleted
  }
  return isToBegin
}

async function deleteIfThere(
  deps: ApplicationDeps,
  application: Application,
  begin: Step | undefined,
): Promise<boolean> {
  try {
    await deleteApplication(deps, application, begin)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_application') return false
    throw error
  }
}

/** Replaces the bot's token. The old one is refused immediately, and its connections close. */
export async function resetBotToken({ database }: ApplicationDeps, { id }: Application): Promise<string> {
  return database.transaction(async (transaction) => {
    // Locked, so that an application being deleted gets no token.
    if (!(await lockApplication(transaction, id))) throw new ApiError('unknown_application')
    publishSessionEnd(transaction, id, [id])
    return createBotToken(transaction, id)
  })
}

async function createBot(transaction: Transaction, body: CreateApplicationBody): Promise<string> {
  const id = newId()
  for (const username of usernamesFor(body)) {
    if (await isAppliedFor(transaction, username)) continue
    const isNew = await insertBot(transaction, { id, username, alias: aliasOf(body.name) })
    if (isNew) return id
  }
  throw new ApiError('username_taken')
}
