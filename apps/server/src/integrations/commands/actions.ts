import type { ApplicationCommand, CreateCommand } from '@foyer/protocol/commands'
import { LEAST_ID } from '@foyer/protocol/ids'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { toCommands } from './checks.ts'
import {
  holdApplication,
  listCommands,
  listNextConversationIds,
  listNextSpaceIds,
  replaceCommands,
} from './queries.ts'

/** Spaces or conversations notified per run of the job. A bot may be in any number of them. */
const NOTIFIED_AT_ONCE = 500

/** Progress of the notifications: spaces first, then conversations, each by id. */
export interface NotificationProgress {
  application_id: string
  part: 'spaces' | 'conversations'
  after: string
}

/**
 * Replaces the application's commands. Its owner and its bot are notified immediately, the bot's spaces and
 * conversations by a job. Publishes nothing if nothing changed.
 * @throws ApiError 400 for invalid commands, with a message that begins with the field
 */
export async function setCommands(
  { database }: { database: Database },
  appId: string,
  body: readonly CreateCommand[],
): Promise<ApplicationCommand[]> {
  const commands = toCommands(body)
  return database.transaction(async (transaction) => {
    const ownerId = await holdApplication(transaction, appId)
    if (ownerId === undefined) throw new ApiError('unknown_application')
    const before = await listCommands(transaction, appId)
    const placed = commands.map((command) => ({ ...command, id: newId() }))
    await replaceCommands(transaction, appId, placed)
    const after = await listCommands(transaction, appId)
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    if (!isSame) await announce(transaction, appId, ownerId)
    return after
  })
}

async function announce(transaction: Transaction, appId: string, ownerId: string): Promise<void> {
  for (const userId of [ownerId, appId]) publishCommandsUpdate(transaction, topicOf.user(userId), appId)
  const progress: NotificationProgress = { application_id: appId, part: 'spaces', after: LEAST_ID }
  // A queued job that has not begun also covers this change. The application is locked, so no other change can
  // enqueue a job now.
  await enqueueJob(transaction, 'tell_commands', progress, `tell_commands ${appId}`)
}

/**
 * Notifies the next page of the bot's spaces or conversations, and enqueues the page after it in the same transaction.
 */
export async function notifyNextPage(
  { database }: { database: Database },
  telling: NotificationProgress,
): Promise<void> {
  const { application_id: appId, part, after } = telling
  const isSpaces = part === 'spaces'
  const listNext = isSpaces ? listNextSpaceIds : listNextConversationIds
  await database.transaction(async (transaction) => {
    const ids = await listNext(transaction, appId, { after, limit: NOTIFIED_AT_ONCE })
    const topicFor = isSpaces ? topicOf.space : topicOf.conversation
    for (const id of ids) publishCommandsUpdate(transaction, topicFor(id), appId)
    const last = ids[NOTIFIED_AT_ONCE - 1]
    if (last !== undefined) await enqueueJob(transaction, 'tell_commands', { ...telling, after: last })
    else if (isSpaces)
      await enqueueJob(transaction, 'tell_commands', { ...telling, part: 'conversations', after: LEAST_ID })
  })
}

function publishCommandsUpdate(
  transaction: Transaction,
  topic: Topic<'user' | 'space' | 'conversation'>,
  appId: string,
): void {
  transaction.publish(event(topic, 'APPLICATION_COMMANDS_UPDATE', { application_id: appId }))
}
