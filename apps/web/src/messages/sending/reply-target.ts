import type { Message } from '@foyer/protocol/messages'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { excerpt, type Names } from '#src/mentions/readable.ts'
import type { Session } from '#src/session/session.ts'
import { type DraftTarget, draftKeyOf } from '#src/store/draft.ts'
import { extrasOf } from '../content/message-words.ts'

const MAX_WORDS = 200

/** Makes the channel's draft a reply to this message. */
export function replyTo(
  { store }: Pick<Session, 'store'>,
  channel: DraftTarget & Names,
  message: Message,
): void {
  const names = { ...channel, people: message.mentions }
  const words = excerpt(store.get(), names, message.snapshot?.content ?? message.content)
  const isOwn = message.author.id === store.get().me?.id
  store.dispatch('draft_changed', {
    channel_id: draftKeyOf(channel),
    reply: {
      id: message.id,
      author_id: message.author.id,
      name: nameOfAuthor(message, channel.nameOf),
      words: (words === '' ? extrasOf(message) : words).slice(0, MAX_WORDS),
      mentions: !isOwn && message.webhook_id === null,
    },
  })
}

export function dropReply({ store }: Session, channelId: string): void {
  store.dispatch('draft_changed', { channel_id: channelId, reply: null })
}
