import type { Attachment } from '@foyer/protocol/attachments'
import { type Message, MessageType } from '@foyer/protocol/messages'
import { summaryOf } from '#src/attachments/transfer/kinds.ts'
import { t } from '#src/language/texts.ts'
import { excerpt, type Names } from '#src/mentions/readable.ts'
import type { State } from '#src/store/state.ts'

type Holding = Pick<Message, 'content' | 'attachments' | 'stickers' | 'embeds' | 'snapshot'>

/** Summarizes the content and attachments of a message as plain text, for example in a notification. */
export function wordsOf(
  state: State,
  names: Names,
  message: Holding & Pick<Message, 'type' | 'mentions'>,
): string {
  const systemText = systemTextOf(message)
  if (systemText !== undefined) return systemText
  const people = message.mentions
  const content = excerpt(state, { ...names, people }, message.snapshot?.content ?? message.content)
  const extras = extrasOf(message)
  if (extras === '') return content
  return content === '' ? extras : `${content} (${extras})`
}

/**
 * Summarizes everything in a message except its text.
 * @param isCounted returns false for files that are shown in another way
 */
export function extrasOf(message: Holding, isCounted: (file: Attachment) => boolean = () => true): string {
  const { attachments, stickers, embeds } = message.snapshot ?? message
  const counted = attachments.filter(isCounted)
  const files = counted.length === 0 ? [] : [summaryOf(counted.map((file) => file.content_type))]
  const names = stickers.map(({ name }) => t('sticker {name}', { name }))
  const cards = embeds.length > 0 && message.content === '' ? [embeds[0]?.title ?? t('an embed')] : []
  const forwarded = message.snapshot === null ? [] : [t('forwarded')]
  return [...forwarded, ...files, ...names, ...cards].join(', ')
}

const systemTexts = new Map<number, string>([
  [MessageType.PinNotice, t('pinned a message.')],
  [MessageType.MemberJoined, t('joined the space.')],
  [MessageType.Call, t('started a call.')],
  [MessageType.WebNotice, t('changed who can read this room on the web.')],
])

/** Returns the text of a system message; undefined for other messages. */
export function systemTextOf({ type }: Pick<Message, 'type'>): string | undefined {
  return systemTexts.get(type)
}
