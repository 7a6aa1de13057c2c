import type { ComponentRow } from '@foyer/protocol/components'
import type { Embed } from '@foyer/protocol/embeds'
import type { CopiedMessage } from '@foyer/protocol/follows'
import { type MessageSnapshot, MessageType } from '@foyer/protocol/messages'
import type { CallRecord } from '@foyer/protocol/voice'
import { fragment } from '#src/kernel/sql/sql.ts'

/** The stored content of a forward, without files: the forward has its own copies of the files. */
export type StoredSnapshot = Omit<MessageSnapshot, 'attachments'>

export interface StoredInteraction {
  id: string
  type: string
  name: string
  user_id: string
}

export interface MessageRow {
  channel_id: string
  /** The room of the message's thread; null outside of threads. */
  parent_id: string | null
  id: string
  seq: number
  author_id: string
  type: number
  content: string
  flags: number
  pinned: boolean
  nonce: string | null
  created_at: string
  edited_at: string | null
  sticker_ids: string[] | null
  /** True if attachments refer to the message. */
  has_files: boolean
  has_reactions: boolean
  reference_type: number | null
  reference_tenant_id: string | null
  reference_channel_id: string | null
  reference_message_id: string | null
  /** For a reply, the message that began its thread. */
  thread_id: string | null
  snapshot: StoredSnapshot | null
  mention_ids: string[] | null
  mention_role_ids: string[] | null
  mention_everyone: boolean
  embeds: Embed[] | null
  components: ComponentRow[] | null
  webhook_id: string | null
  author_name: string | null
  author_avatar: string | null
  application_id: string | null
  interaction: StoredInteraction | null
  call: CallRecord | null
  /** The announcement that the message was copied from. */
  copy_of: CopiedMessage | null
}

export const AUTHORED_TYPES: readonly number[] = [MessageType.Default, MessageType.InteractionResponse]

/** Returns true for messages written by people, bots or webhooks, false for system messages. */
export function isAuthored({ type }: { type: number }): boolean {
  return AUTHORED_TYPES.includes(type)
}

/** Selects the columns of a `MessageRow`. */
export const messageColumns = fragment`
  channel_id, parent_id, id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at, sticker_ids, has_files, has_reactions,
  reference_type, reference_tenant_id, reference_channel_id, reference_message_id, thread_id, snapshot, mention_ids,
  mention_role_ids, mention_everyone, embeds, components, webhook_id, author_name, author_avatar, application_id,
  interaction, call, copy_of`
