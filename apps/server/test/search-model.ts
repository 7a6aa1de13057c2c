import type { Message } from '@foyer/protocol/messages'
import { MessageType } from '@foyer/protocol/messages'
import type { SearchKind, SearchMessagesQuery } from '@foyer/protocol/search'
import { matchesWord, queryWordsOf, wordsOf } from '@foyer/protocol/words'

/**
 * Returns the expected result of a search, by checking every message. Follows section 4.3.3 of the specification
 * sentence by sentence.
 * @param roomIds rooms that the searcher may view
 */
export function scanMessages(
  messages: readonly Message[],
  roomIds: ReadonlySet<string>,
  query: SearchMessagesQuery,
): { ids: string[]; hasMore: boolean } {
  const found = messages
    .filter((message) => roomIds.has(message.room_id ?? '') && message.type !== MessageType.PinNotice)
    .filter((message) => conditions.every((holds) => holds(message, query)))
    .map(({ id }) => id)
    .toSorted()
    .reverse()
    .filter((id) => query.cursor === undefined || id < query.cursor)
  const limit = query.limit ?? 25
  return { ids: found.slice(0, limit), hasMore: found.length > limit }
}

type Condition = (message: Message, query: SearchMessagesQuery) => boolean

const conditions: readonly Condition[] = [
  (message, { query }) => hasWords(message, query),
  (message, { author_id }) => author_id?.includes(message.author.id) ?? true,
  (message, { mentions }) =>
    mentions === undefined || message.mentions.some(({ id }) => mentions.includes(id)),
  (message, { room_id }) => room_id?.includes(message.room_id ?? '') ?? true,
  (message, { has }) => has === undefined || has.some((kind) => kinds[kind](message)),
  (message, { pinned }) => pinned === undefined || message.pinned === pinned,
  (message, { after }) => after === undefined || Date.parse(message.created_at) > Date.parse(after),
  (message, { before }) => before === undefined || Date.parse(message.created_at) < Date.parse(before),
]

function hasWords(message: Message, query = ''): boolean {
  const words = wordsOf(textOf(message))
  return queryWordsOf(query).every((asked) => words.some((word) => matchesWord(asked, word)))
}

function textOf({ content, snapshot }: Message): string {
  return `${content}\n${snapshot?.content ?? ''}`
}

const kinds: Readonly<Record<SearchKind, (message: Message) => boolean>> = {
  link: (message) => /https?:\/\/\S/i.test(textOf(message)),
  embed: ({ embeds, snapshot }) => embeds.length + (snapshot?.embeds.length ?? 0) > 0,
  file: (message) => typesOf(message).length > 0,
  image: (message) => typesOf(message).some((type) => type.startsWith('image/')),
  video: (message) => typesOf(message).some((type) => type.startsWith('video/')),
  sound: (message) => typesOf(message).some((type) => type.startsWith('audio/')),
  sticker: ({ stickers, snapshot }) => stickers.length + (snapshot?.stickers.length ?? 0) > 0,
}

function typesOf({ attachments, snapshot }: Message): string[] {
  return [...attachments, ...(snapshot?.attachments ?? [])].map((file) => file.content_type)
}
