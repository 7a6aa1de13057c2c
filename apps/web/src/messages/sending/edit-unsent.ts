import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { giveBack } from '#src/attachments/uploads/give-back.ts'
import { asSent, asWritten } from '#src/mentions/named-text.ts'
import type { Names } from '#src/mentions/readable.ts'
import { channelIdOf } from '#src/store/channels.ts'
import { type DraftTarget, draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { replyTo } from './reply-target.ts'
import type { Sender } from './send.ts'

type UnsentChannel = DraftTarget & Names & { readonly emojis: readonly SpaceEmoji[] }

/** Moves an unsent message back to the composer: its text and files are put before the current draft. */
export function editUnsent(session: Sender, channel: UnsentChannel, message: OutgoingMessage): void {
  const { store, uploads } = session
  const channel_id = draftKeyOf(channel)
  const { content, named } = store.get().drafts[channel_id] ?? emptyDraft
  const texts = [message.content, asSent(content, named, channel.emojis)].filter((text) => text !== '')
  store.dispatch('draft_changed', { channel_id, ...asWritten(store.get(), channel, texts.join('\n')) })
  const answeredId = message.options.reference?.message_id
  const answered = store.get().timelines[channel.id]?.messages.find(({ id }) => id === answeredId)
  // The top of a thread already shows the message that its replies refer to.
  if (answered !== undefined && answered.id !== channel.threadId) replyTo(session, channel, answered)
  store.dispatch('message_discarded', { channel_id: channelIdOf(message.channel), nonce: message.nonce })
  giveBack(uploads, message.upload_ids, channel_id)
}
