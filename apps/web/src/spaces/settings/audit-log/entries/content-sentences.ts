import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { MessageFlag } from '@foyer/protocol/messages'
import { counted, t } from '#src/language/texts.ts'
import { changedOnly } from './changed-fields.ts'
import type { Sentences } from './sentence-table.ts'

/** Sentences about messages, webhooks, emoji, stickers and storage. */
export const contentSentences = {
  webhook_create: () => t('{actor} created the webhook {target} in {room}'),
  webhook_update: () => t('{actor} changed the webhook {target} in {room}'),
  webhook_delete: () => t('{actor} deleted the webhook {target} in {room}'),
  bucket_create: () => t('{actor} added the storage {target}'),
  bucket_update: (entry) => {
    if (!changedOnly(entry, 'active')) return t('{actor} changed the storage {target}')
    return entry.after?.active === true
      ? t('{actor} turned on the storage {target}')
      : t('{actor} turned off the storage {target}')
  },
  bucket_delete: () => t('{actor} deleted the storage {target}'),
  emoji_create: () => t('{actor} added the emoji {target}'),
  emoji_update: () => t('{actor} renamed the emoji {from} to {to}'),
  emoji_delete: () => t('{actor} deleted the emoji {target}'),
  sticker_create: () => t('{actor} added the sticker {target}'),
  sticker_update: () => t('{actor} renamed the sticker {from} to {to}'),
  sticker_delete: () => t('{actor} deleted the sticker {target}'),
  message_update: ({ after }) =>
    hidesPreviews(after?.flags)
      ? t('{actor} hid the link previews of a message in {room}')
      : t('{actor} restored the link previews of a message in {room}'),
  message_delete: ({ before }) =>
    typeof before?.author_id === 'string'
      ? t('{actor} deleted a message by {person} in {room}')
      : t('{actor} deleted a message in {room}'),
  message_bulk_delete: (entry) =>
    counted(
      countIn(entry),
      '{actor} deleted {count} message in {room}',
      '{actor} deleted {count} messages in {room}',
    ),
  message_pin: () => t('{actor} pinned a message in {room}'),
  message_unpin: () => t('{actor} unpinned a message in {room}'),
  reaction_remove: () => t('{actor} removed the reaction {emoji} by {person} in {room}'),
  reaction_clear: () => t('{actor} removed all reactions from a message in {room}'),
  attachment_delete: () => t('{actor} deleted a file of the space'),
  attachment_clear: (entry) =>
    counted(
      countIn(entry),
      '{actor} deleted {count} file of the space',
      '{actor} deleted {count} files of the space',
    ),
} satisfies Partial<Sentences>

function hidesPreviews(flags: unknown): boolean {
  return typeof flags === 'number' && (flags & MessageFlag.SuppressEmbeds) !== 0
}

function countIn({ before }: AuditLogEntry): number {
  return typeof before?.count === 'number' ? before.count : 0
}
