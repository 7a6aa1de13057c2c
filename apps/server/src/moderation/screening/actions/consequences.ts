import type { AutomodRule } from '@foyer/protocol/automod'
import { MAX_HELD_MESSAGES, MAX_HELD_OF_AUTHOR } from '@foyer/protocol/limits'
import type { Timeout } from '@foyer/protocol/members'
import type { CreateMessageBody } from '@foyer/protocol/messages'
import type { User } from '@foyer/protocol/users'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { publishTimeout } from '#src/spaces/actions/timeouts.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { findTimeout, saveTimeout } from '#src/spaces/timeouts.ts'
import { countHeld, type HeldBeginning, type HeldRow, insertHeld, keepHeldFiles } from '../held-queries.ts'
import { type Caught, hitOf } from '../hits.ts'
import { insertHits } from '../queries.ts'
import type { Screening } from '../screening.ts'
import type { Written } from '../written.ts'

/** The job that notifies moderators of a hit. */
export const POST_AUTOMOD_ALERT = 'post_automod_alert'

export interface ScreeningDeps {
  database: Database
  screening: Screening
}

/** A message or name that a rule of the space stops. */
export interface Stop {
  readonly written: Written
  readonly caught: Caught
}

/** A message that can be held: the request that sends it, with its files as uploads. */
export interface Holdable {
  readonly author: User
  readonly body: CreateMessageBody
  readonly begins?: HeldBeginning | undefined
}

const MINUTE_MS = 60_000

/**
 * Checks a text before it is shown. A caught text is refused, and all consequences of the rule are stored first, in one
 * transaction.
 * @throws ApiError 403 with the rule's message, if it has one
 */
export async function screen(deps: ScreeningDeps, written: Written): Promise<void> {
  const caught = await deps.screening.find(written)
  if (caught !== undefined) throw await refuse(deps, { written, caught })
}

/** Carries out all consequences of the rule. @returns the error for the author */
export async function refuse({ database, screening }: ScreeningDeps, stop: Stop): Promise<ApiError> {
  const { spaceId } = stop.written
  if (await screening.mayReport(stop))
    await database.transactionIn(spaceId, (transaction) => carryOut(transaction, stop, null))
  return new ApiError('automod_refused', stop.caught.rule.message ?? undefined)
}

/** The error for the author of a stopped message, and whether its files are kept. */
export interface Holding {
  readonly error: ApiError
  readonly keepsFiles: boolean
}

/** Holds a message for review. Refuses it if too many messages already wait. */
export async function hold(deps: ScreeningDeps, stop: Stop, holdable: Holdable): Promise<Holding> {
  const row = heldRowOf(stop, holdable)
  const isFull = { error: new ApiError('too_many_held'), keepsFiles: false }
  if (await isFullOf(deps.database, row)) {
    await refuse(deps, stop)
    return isFull
  }
  const error = new ApiError('held_for_review')
  return deps.database.transactionIn(row.space_id, async (transaction) => {
    await lockSpace(transaction, row.space_id)
    // A retry of a message that is held already.
    if (!(await insertHeld(transaction, row))) return { error, keepsFiles: false }
    if (!(await keepHeldFiles(transaction, row))) throw new ApiError('unknown_attachment')
    publishHeld(transaction, row.space_id)
    await carryOut(transaction, stop, row)
    return { error, keepsFiles: true }
  })
}

/**
 * Returns true if too many messages wait. Counted before the lock, so a few more than the limit may wait. A retry of
 * a waiting message is not counted.
 */
async function isFullOf(database: Queryable, row: HeldRow): Promise<boolean> {
  const { all, own, isRetry } = await countHeld(database, row)
  return !isRetry && (all >= MAX_HELD_MESSAGES || own >= MAX_HELD_OF_AUTHOR)
}

/** Makes moderators' clients request the held messages again. The event has no data: visible messages depend on the room. */
export function publishHeld(transaction: Transaction, spaceId: string): void {
  transaction.publish(event(topicOf.space(spaceId), 'HELD_MESSAGES_UPDATE', { space_id: spaceId }))
}

function heldRowOf({ written, caught: { rule } }: Stop, { author, body, begins }: Holdable): HeldRow {
  const { spaceId, roomId, threadId = null } = written
  if (roomId === null) throw new Error('only a message in a room can be held')
  return {
    space_id: spaceId,
    id: newId(),
    room_id: roomId,
    thread_id: threadId,
    begins: begins ?? null,
    rule_id: rule.id,
    rule_name: rule.name,
    user_id: author.id,
    nonce: body.nonce ?? null,
    body,
    file_ids: body.attachment_ids ?? [],
  }
}

async function carryOut(
  transaction: Transaction,
  { written, caught }: Stop,
  held: HeldRow | null,
): Promise<void> {
  const { rule } = caught
  const { spaceId, roomId, source, writer } = written
  if (rule.timeout_minutes !== null && writer.type === 'user') await timeOut(transaction, written, rule)
  const hit = hitOf(written, caught)
  await insertHits(transaction, [hit])
  await record(transaction, { spaceId }, held === null ? 'automod_refuse' : 'automod_hold', {
    type: writer.type,
    id: writer.id,
    ...(roomId !== null && { roomId }),
    after: { rule_id: rule.id, rule_name: rule.name, source },
  })
  if (rule.alert_room_id === null) return
  const alert = { room_id: rule.alert_room_id, rule_name: rule.name, is_held: held !== null, hit }
  await enqueueJob(transaction, POST_AUTOMOD_ALERT, { ...alert, writer_id: writer.id })
}

/** Times the member out, unless they have a longer timeout. A user who is just joining is not a member yet. */
async function timeOut(
  transaction: Transaction,
  { spaceId, writer }: Written,
  { name, timeout_minutes: minutes }: AutomodRule,
): Promise<void> {
  await lockSpace(transaction, spaceId)
  const [member] = await findMembers(transaction, spaceId, [writer.id])
  const until = new Date(Date.now() + (minutes ?? 0) * MINUTE_MS).toISOString()
  const before = await findTimeout(transaction, spaceId, writer.id)
  if (member === undefined || isLater(before, until)) return
  const target = { space_id: spaceId, user_id: writer.id }
  const timeout = await saveTimeout(transaction, { ...target, until, reason: name, moderator_id: null })
  publishTimeout(transaction, member, timeout.until)
  const change = { type: 'user', id: writer.id, before, after: timeout, reason: name } as const
  await record(transaction, { spaceId }, 'timeout_create', change)
}

function isLater(timeout: Timeout | undefined, until: string): boolean {
  return timeout !== undefined && Date.parse(timeout.until) >= Date.parse(until)
}
