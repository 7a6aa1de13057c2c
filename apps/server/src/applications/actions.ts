import type {
  Application,
  CreateApplicationBody,
  CreateApplicationResult,
  UpdateApplicationBody,
} from '@foyer/protocol/applications'
import { MAX_APPLICATIONS } from '@foyer/protocol/limits'
import { type ErasureDeps, eraseAccount } from '#src/accounts/erasure.ts'
import { createBotToken } from '#src/auth/bot-tokens.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import type { Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { publishSessionEnd } from '#src/kernel/session-events.ts'
import { lockUsers } from '#src/users/queries.ts'
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
 * Makes an application with its bot and the bot's token, which is in this answer alone.
 * @throws ApiError 400 for a username that somebody has, and for who has as many applications as they may
 */
export async function createApplication(
  { database }: ApplicationDeps,
  { user: owner }: Caller,
  body: CreateApplicationBody,
): Promise<CreateApplicationResult> {
  return database.transaction(async (transaction) => {
    // Held, so that applications of one owner are made, and counted, one after the other.
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

/** Changes the fields that are given; null clears. The bot's own name is its to change. */
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

/** Ends the application with the account of its bot. The bot's messages stay. */
export async function deleteApplication(deps: ApplicationDeps, { id }: Application): Promise<void> {
  await eraseAccount(deps, id, async (transaction) => {
    const wasThere = await deleteApplicationRow(transaction, id)
    if (!wasThere) throw new ApiError('unknown_application')
  })
}

/** Those that somebody else deletes at the same time are deleted, too. */
export async function deleteApplicationsOf(deps: ApplicationDeps, ownerId: string): Promise<void> {
  for (const application of await listApplications(deps.database, ownerId)) {
    await deleteApplication(deps, application).catch(ignoreGone)
  }
}

/** Replaces the bot's token. The one before is refused at once, and its connections close. */
export async function resetBotToken({ database }: ApplicationDeps, { id }: Application): Promise<string> {
  return database.transaction(async (transaction) => {
    // Held, so that an application that is being deleted does not get a token behind its back.
    if (!(await lockApplication(transaction, id))) throw new ApiError('unknown_application')
    publishSessionEnd(transaction, id, [id])
    return createBotToken(transaction, id)
  })
}

async function createBot(transaction: Transaction, body: CreateApplicationBody): Promise<string> {
  const id = newId()
  for (const username of usernamesFor(body)) {
    const isNew = await insertBot(transaction, { id, username, alias: aliasOf(body.name) })
    if (isNew) return id
  }
  throw new ApiError('username_taken')
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'unknown_application')) throw error
}
