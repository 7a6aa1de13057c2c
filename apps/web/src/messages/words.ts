import type { Message } from '@foyer/protocol/messages'
import { summaryOf } from '#src/attachments/kinds.ts'
import { spoken } from './emoji-text.ts'

/** What a message holds, for where it is not shown itself: its text, and what comes with it. */
export function wordsOf({ content, attachments, stickers }: Message): string {
  const files = attachments.length === 0 ? [] : [summaryOf(attachments.map((file) => file.content_type))]
  const names = stickers.map(({ name }) => `sticker ${name}`)
  const extras = [...files, ...names].join(', ')
  if (extras === '') return spoken(content)
  return content === '' ? extras : `${spoken(content)} (${extras})`
}
