import {
  type Message,
  MessageFlag,
  type MessageReference,
  MessageType,
  ReferenceType,
} from '@foyer/protocol/messages'
import { channelOf, type Place } from '#src/channels/place.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Author } from './authors.ts'
import type { Contents } from './contents.ts'
import { messageAttachment, snapshotOf } from './reading.ts'
import { shownReference } from './references.ts'
import { isAuthored } from './rows.ts'
import { shownEmbeds } from './shown-embeds.ts'

/** A message without its `seq`. */
export interface Draft {
  place: Place
  message: Omit<Message, 'seq'>
  /** The original of a forward. The message itself shows it only to viewers who may see the original. */
  origin?: MessageReference | undefined
  /** File ids in display order. The files of a forward are shown in its snapshot. */
  fileIds: readonly string[]
  /** Names of the original's files that this copy lacks. */
  leftOut?: readonly string[]
  /** For a copy from another server, the number of the change that the copy shows. */
  sourceNumber?: number | undefined
}

/** Fields that are mostly set in messages that the server posts, not in those of users. */
export type MessageExtras = Partial<
  Pick<Message, 'type' | 'interaction' | 'reference' | 'referenced_message' | 'call' | 'copy_of'>
>

export function draftMessage(
  downloads: DownloadSigner,
  { place, author }: { place: Place; author: Author },
  { contents, files }: { contents: Contents; files: readonly FileRow[] },
  extras: MessageExtras = {},
): Draft {
  const id = newId()
  const now = Date.now()
  const { reply, forward, mentions } = contents
  const attachments = files.map((file) =>
    messageAttachment({ ...file, message_id: id, state: 'live' }, downloads, now),
  )
  const message = {
    id,
    ...channelOf(place),
    type: MessageType.Default,
    author: author.user,
    member: author.member,
    content: contents.content,
    created_at: new Date(now).toISOString(),
    edited_at: null,
    pinned: false,
    flags:
      contents.flags | (forward?.reference.parent_room_id === place.channelId ? MessageFlag.FromThread : 0),
    mentions: [...mentions.users],
    mention_roles: [...mentions.roleIds],
    mention_everyone: mentions.everyone,
    attachments: forward === null ? attachments : [],
    embeds: shownEmbeds(contents.embeds, downloads, now),
    stickers: [...contents.stickers],
    reactions: [],
    components: [...contents.components],
    reference: forward
      ? shownReference(forward.reference, place.channelId)
      : reply && replyTo(place, reply.id),
    referenced_message: reply,
    thread_id: threadOf(reply, extras),
    replies: null,
    snapshot: forward && snapshotOf(forward.snapshot, attachments),
    webhook_id: author.webhook?.id ?? null,
    application_id: author.applicationId ?? null,
    interaction: null,
    call: null,
    nonce: contents.nonce,
    ...extras,
  }
  return { place, message, origin: forward?.reference, fileIds: files.map((file) => file.id) }
}

/**
 * Returns the thread of a reply: the target's thread, or a new one. System messages refer to a message without
 * replying.
 */
function threadOf(reply: Message | null, { type = MessageType.Default }: MessageExtras): string | null {
  return reply !== null && isAuthored({ type }) ? (reply.thread_id ?? reply.id) : null
}

function replyTo(place: Place, messageId: string): Message['reference'] {
  return { type: ReferenceType.Reply, message_id: messageId, ...channelOf(place) }
}
