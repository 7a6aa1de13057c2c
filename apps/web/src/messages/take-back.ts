import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { giveBack } from '#src/attachments/give-back.ts'
import { asSent, asWritten } from '#src/mentions/named-text.ts'
import type { Names } from '#src/mentions/readable.ts'
import { channelIdOf } from '#src/store/channels.ts'
import { type DraftPlace, draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { replyTo } from './reply-target.ts'
import type { Sender } from './send.ts'

type Place = DraftPlace & Names & { readonly emojis: readonly SpaceEmoji[] }

/** Takes a message back that cannot be sent as it is: its text and files stand before what is begun there. */
export function takeBack(session: Sender, place: Place, message: OutgoingMessage): void {
  const { store, uploads } = session
  const channel_id = draftKeyOf(place)
  const { content, named } = store.get().drafts[channel_id] ?? emptyDraft
  const texts = [message.content, asSent(content, named, place.emojis)].filter((text) => text !== '')
  store.dispatch('draft_changed', { channel_id, ...asWritten(store.get(), place, texts.join('\n')) })
  const answeredId = message.options.reference?.message_id
  const answered = store.get().timelines[place.id]?.messages.find(({ id }) => id === answeredId)
  // In its thread what is answered stands above.
  if (answered !== undefined && answered.id !== place.threadId) replyTo(session, place, answered)
  store.dispatch('message_discarded', { channel_id: channelIdOf(message.channel), nonce: message.nonce })
  giveBack(uploads, message.upload_ids, channel_id)
}
