import type { AutomodTrial, TryAutomodRuleBody } from '@foyer/protocol/automod'
import { MAX_TRIED_MESSAGES } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { isAuthored } from '#src/messages/rows.ts'
import { isYounger } from '#src/screening/ages.ts'
import { isOfAnyType } from '#src/screening/files.ts'
import { compileMatcher } from '#src/screening/matching/matcher.ts'
import { exempts } from '#src/screening/rules.ts'
import { textToRepeat } from '#src/screening/screening.ts'
import { countMentions, textsOf, type Writer, webhookWriter, writerOf } from '#src/screening/written.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { rightsInRoom, visibleRooms } from '#src/spaces/snapshots.ts'
import { listNewestIn } from './queries.ts'

const MAX_EXAMPLES = 10

type Catches = (message: Message, texts: readonly string[]) => boolean

/**
 * Checks what a rule would have caught of the newest messages in the rooms that the caller may view. Hashes of files are not
 * compared: that would read all of the files.
 */
export async function tryRule(
  reader: MessageReader,
  access: SpaceAccess,
  { trigger, exempt_role_ids = [], exempt_room_ids = [] }: TryAutomodRuleBody,
): Promise<AutomodTrial> {
  const messages = await readNewest(reader, access)
  const catches = await predicateOf(trigger)
  // In the order of their sending, for repeats.
  const caught = messages.toReversed().filter((message) => {
    const writer = authorOf(access, message)
    const isExempt = writer.isExempt || exempts({ exempt_role_ids, exempt_room_ids }, writer, message.room_id)
    return !isExempt && catches(message, textsIn(message))
  })
  const examples = caught.toReversed().slice(0, MAX_EXAMPLES)
  return { checked: messages.length, caught: caught.length, examples }
}

async function readNewest(reader: MessageReader, { spaceId, snapshot, member }: SpaceAccess) {
  const roomIds = visibleRooms(snapshot, member).map(({ id }) => id)
  const rows = await listNewestIn(reader.database, spaceId, roomIds, MAX_TRIED_MESSAGES)
  return completeMessages(reader, { tenantId: spaceId }, rows.filter(isAuthored))
}

function authorOf({ snapshot }: SpaceAccess, { author, member, webhook_id, room_id }: Message): Writer {
  if (webhook_id !== null) return webhookWriter(webhook_id)
  const rights = member === null ? { capabilities: 0 } : rightsInRoom(snapshot, member, room_id ?? '')
  return writerOf({ caller: { user: author }, member, capabilities: rights.capabilities })
}

function textsIn({ content, embeds, components, attachments, snapshot }: Message): string[] {
  const own = textsOf({ content, embeds, components, files: attachments })
  return snapshot === null ? own : [...own, ...textsOf({ ...snapshot, files: snapshot.attachments })]
}

async function predicateOf(trigger: TryAutomodRuleBody['trigger']): Promise<Catches> {
  const { type, max = 0, hours = 0, content_types: types = [] } = trigger
  switch (type) {
    case 'mentions':
      return (message) => mentionsIn(message) > max
    case 'new_accounts':
      return ({ author, webhook_id, created_at }) =>
        webhook_id === null && isYounger(author.created_at, Date.parse(created_at), hours)
    case 'attachments':
      return ({ attachments }) => isOfAnyType(attachments, types)
    case 'repeats':
      return repeats(trigger)
    default: {
      const matcher = await compileMatcher([{ id: 'tried', trigger }], {})
      return (_message, texts) => matcher.match(texts).length > 0
    }
  }
}

function mentionsIn({
  mentions: users,
  mention_roles: roleIds,
  mention_everyone: everyone,
}: Message): number {
  return countMentions({ users, roleIds, everyone })
}

/** Takes messages in the order of their sending. */
function repeats({ count = 2, seconds = 0 }: TryAutomodRuleBody['trigger']): Catches {
  const sentAt = new Map<string, number[]>()
  return ({ author, created_at }, texts) => {
    const text = textToRepeat(texts)
    if (text === '') return false
    const key = `${author.id} ${text}`
    const now = Date.parse(created_at)
    const recent = (sentAt.get(key) ?? []).filter((time) => now - time < seconds * 1000)
    sentAt.set(key, [...recent, now])
    return recent.length + 1 >= count
  }
}
