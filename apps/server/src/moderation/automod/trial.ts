import { setImmediate } from 'node:timers/promises'
import type { AutomodTrial, TryAutomodRuleBody } from '@foyer/protocol/automod'
import { EmbedType } from '@foyer/protocol/embeds'
import { MAX_TRIED_MESSAGES } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { LocalCounters } from '#src/kernel/limits/local-counters.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { isAuthored, type MessageRow } from '#src/messages/rows.ts'
import { type CheckDeps, findCaught } from '#src/moderation/screening/checking.ts'
import type { CheckedRule } from '#src/moderation/screening/rules.ts'
import type { Screening } from '#src/moderation/screening/screening.ts'
import {
  type Writer,
  type Written,
  webhookWriter,
  writerOf,
  writtenPost,
} from '#src/moderation/screening/written.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { rightsInRoom, visibleRooms } from '#src/spaces/snapshots.ts'
import { isAlert } from './alerts.ts'
import { listNewestIn } from './queries.ts'

const MAX_EXAMPLES = 10
/** Messages checked before yielding to the event loop. */
const CHECKED_AT_ONCE = 50

export interface TrialDeps extends MessageReader, Pick<CheckDeps, 'stores'> {
  screening: Screening
}

/** A message as readers see it, and as rules check it. */
interface Sent {
  readonly message: Message
  readonly written: Written
}

/**
 * Tries a rule on the newest messages in the rooms that the caller may view. Hashes of files are not compared, because
 * that would read every file.
 */
export async function tryRule(
  deps: TrialDeps,
  access: SpaceAccess,
  body: TryAutomodRuleBody,
): Promise<AutomodTrial> {
  const sent = await readNewest(deps, access)
  const rules = await deps.screening.compile(access.spaceId, [ruleOf(body)])
  // Repeats are counted by the times of the messages.
  const checking: CheckDeps = { ...deps, counters: new LocalCounters() }
  const caught: Message[] = []
  for (const [index, { message, written }] of sent.entries()) {
    const found = await findCaught(checking, rules, written, Date.parse(message.created_at))
    if (found.length > 0) caught.push(message)
    if (index % CHECKED_AT_ONCE === 0) await setImmediate()
  }
  const examples = caught.toReversed().slice(0, MAX_EXAMPLES)
  return { checked: sent.length, caught: caught.length, examples }
}

function ruleOf({
  trigger: { sha256: _, ...trigger },
  exempt_role_ids = [],
  exempt_room_ids = [],
}: TryAutomodRuleBody): CheckedRule {
  return { id: 'tried', mode: 'test', trigger, exempt_role_ids, exempt_room_ids }
}

/** Returns the messages in order of sending, without those exempt from all rules. */
async function readNewest(deps: TrialDeps, access: SpaceAccess): Promise<Sent[]> {
  const { spaceId, snapshot, member } = access
  const roomIds = visibleRooms(snapshot, member).map(({ id }) => id)
  const newest = await listNewestIn(deps.database, spaceId, roomIds, MAX_TRIED_MESSAGES)
  const rows = newest.filter((row) => isAuthored(row) && !isAlert(row)).toReversed()
  const withFiles = rows.filter(({ has_files }) => has_files).map(({ id }) => id)
  const [messages, files] = await Promise.all([
    completeMessages(deps, { tenantId: spaceId }, rows),
    listMessageFiles(deps.database, spaceId, withFiles),
  ])
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const filesById = Map.groupBy(files, ({ message_id }) => message_id)
  return messages.flatMap((message) => {
    const row = rowsById.get(message.id)
    if (row === undefined) return []
    return { message, written: writtenAs(access, message, { row, files: filesById.get(row.id) ?? [] }) }
  })
}

/** Describes the message as it was sent: without previews, which are added later. */
function writtenAs(
  access: SpaceAccess,
  message: Message,
  { row, files }: { row: MessageRow; files: readonly FileRow[] },
): Written {
  const { author, stickers, webhook_id } = message
  const { mention_ids, mention_role_ids, mention_everyone: everyone, embeds, components } = row
  const where = {
    spaceId: access.spaceId,
    roomId: row.channel_id,
    source: webhook_id === null ? 'message' : 'webhook',
    writer: writerOfMessage(access, message),
  } as const
  return writtenPost(where, {
    ...(webhook_id !== null && { name: author.username }),
    content: row.content,
    embeds: embeds?.filter(({ type }) => type === EmbedType.Rich),
    components: components ?? [],
    stickers,
    files,
    mentions: { users: mention_ids ?? [], roleIds: mention_role_ids ?? [], everyone },
    forwarded: row.snapshot ?? undefined,
  })
}

function writerOfMessage(
  { snapshot }: SpaceAccess,
  { author, member, webhook_id, room_id }: Message,
): Writer {
  if (webhook_id !== null) return webhookWriter(webhook_id)
  const rights = member === null ? { capabilities: 0 } : rightsInRoom(snapshot, member, room_id ?? '')
  return writerOf({ caller: { user: author }, member, capabilities: rights.capabilities })
}
