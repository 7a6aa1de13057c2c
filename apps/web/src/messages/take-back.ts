import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { asSent, asWritten } from '#src/mentions/named-text.ts'
import type { Names } from '#src/mentions/readable.ts'
import { type DraftPlace, draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { replyTo } from './reply-target.ts'
import { discardMessage, type Sender } from './send.ts'

type Place = DraftPlace & Names & { readonly emojis: readonly SpaceEmoji[] }

/** Takes a message back that cannot be sent as it is: its text stands before what is being written there. */
export function takeBack(session: Sender, place: Place, message: OutgoingMessage): void {
  const { store } = session
  const channel_id = draftKeyOf(place)
  const { content, named } = store.get().drafts[channel_id] ?? emptyDraft
  const texts = [message.content, asSent(content, named, place.emojis)].filter((text) => text !== '')
  store.dispatch('draft_changed', { channel_id, ...asWritten(store.get(), place, texts.join('\n')) })
  const answeredId = message.options.reference?.message_id
  const answered = store.get().timelines[place.id]?.messages.find(({ id }) => id === answeredId)
  // In its thread what is answered stands above.
  if (answered !== undefined && answered.id !== place.threadId) replyTo(session, place, answered)
  discardMessage(session, message)
}
