import { MessageFlag, ReferenceType } from '@foyer/protocol/messages'
import { unicodeEmoji } from '@foyer/protocol/reactions'
import { ApiError } from '#src/kernel/errors.ts'
import { UUID } from '#src/kernel/ids.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import type { ArchivedMessage } from '../format.ts'
import type { PlacedMessage } from '../reading/archive.ts'
import { ArchiveError } from '../reading/archive-error.ts'
import type { Plan } from './plan.ts'
import type { BuiltMessage, BuiltReaction } from './queries.ts'

const REFERENCE = /<(@&|#|:\w{2,32}:)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/g

export interface BuiltRow {
  message: Omit<BuiltMessage, 'seq' | 'has_files'>
  reactions: BuiltReaction[]
}

/**
 * Turns an archived message into a row of the room. The author becomes a name with a new id, like the author of a webhook
 * post: otherwise an archive could attribute messages to any account of this server.
 * @throws ArchiveError for an invalid time, and for embeds that no webhook could post
 */
export function rowOf(plan: Plan, roomId: string, { message, where }: PlacedMessage): BuiltRow {
  const id = plan.ids.of(roomId, message.id)
  const reactions = reactionsOf(plan, id, message.reactions ?? [])
  const stickerIds = (message.sticker_ids ?? []).flatMap((sticker) => plan.stickers.get(sticker) ?? [])
  const embeds = embedsOf(message, where)
  return {
    message: {
      id,
      author_id: plan.ids.of('author', message.author.id),
      author_name: message.author.name,
      content: withNewIds(plan, message.content),
      flags: message.hides_previews === true ? MessageFlag.SuppressEmbeds : 0,
      pinned: message.pinned === true,
      has_reactions: reactions.length > 0,
      created_at: checkedTime(message.created_at, where),
      edited_at: message.edited_at === undefined ? null : checkedTime(message.edited_at, where),
      ...(stickerIds.length > 0 && { sticker_ids: stickerIds }),
      ...(embeds.length > 0 && { embeds }),
      ...referenceOf(plan, roomId, message, where),
    },
    reactions,
  }
}

export function checkedTime(time: string, where: string): string {
  const at = Date.parse(time)
  // A leap second matches the format of a timestamp, but Date.parse returns NaN for it.
  if (!(at >= 0 && at <= Date.now()))
    throw new ArchiveError(`${where}: a time is in the future, or before 1970`)
  return new Date(at).toISOString()
}

function embedsOf({ embeds = [] }: ArchivedMessage, where: string) {
  try {
    return toEmbeds(embeds)
  } catch (error) {
    throw error instanceof ApiError ? new ArchiveError(`${where}: ${error.message}`) : error
  }
}

type Reference = Pick<
  BuiltMessage,
  | 'reference_type'
  | 'reference_tenant_id'
  | 'reference_channel_id'
  | 'reference_message_id'
  | 'thread_id'
  | 'snapshot'
>

/**
 * Returns the columns of a reply or a forward. A reply may refer to a message that is not in the archive: it was deleted,
 * and is shown as deleted.
 */
function referenceOf(plan: Plan, roomId: string, message: ArchivedMessage, where: string): Reference {
  const { reply_to, thread_id = reply_to, forwarded } = message
  const place = { reference_tenant_id: plan.spaceId, reference_channel_id: roomId }
  if (forwarded !== undefined) {
    const { content, created_at, edited_at } = forwarded
    const texts = {
      content: withNewIds(plan, content),
      created_at: checkedTime(created_at, where),
      edited_at: edited_at === null ? null : checkedTime(edited_at, where),
    }
    return {
      reference_type: ReferenceType.Forward,
      ...place,
      // The original room does not exist here.
      reference_channel_id: plan.ids.of('forwarded from', message.id),
      reference_message_id: plan.ids.of('forwarded', message.id),
      snapshot: { ...texts, flags: 0, embeds: [], stickers: [] },
    }
  }
  if (reply_to === undefined || thread_id === undefined) return {}
  return {
    reference_type: ReferenceType.Reply,
    ...place,
    reference_message_id: plan.ids.of(roomId, reply_to),
    thread_id: plan.ids.of(roomId, thread_id),
  }
}

/** Replaces the ids in mentions of roles and rooms, and in custom emojis. Ids of other spaces are kept. */
function withNewIds({ roles, rooms, emojis }: Plan, text: string): string {
  return text.replace(REFERENCE, (whole, kind: string, id: string) => {
    const ids = kind === '@&' ? roles : kind === '#' ? rooms : emojis
    const newId = ids.get(id)
    return newId === undefined ? whole : `<${kind}${newId}>`
  })
}

/** Returns the counts of reactions. Reactions with emojis of other spaces, or with invalid emojis, are dropped. */
function reactionsOf(
  { emojis }: Plan,
  message_id: string,
  reactions: NonNullable<ArchivedMessage['reactions']>,
): BuiltReaction[] {
  const counts = new Map<string, number>()
  for (const { emoji, count } of reactions) {
    const known = UUID.test(emoji) ? emojis.get(emoji) : unicodeEmoji(emoji)
    if (known !== undefined) counts.set(known, count)
  }
  return Array.from(counts, ([emoji, count], place) => ({ message_id, emoji, count, place }))
}
