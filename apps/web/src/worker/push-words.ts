import type { PushPayload } from '@foyer/protocol/notifications'

/** What notifications are worded with, in the reader's language: the worker has no catalogue of its own. */
export interface PushWords {
  /** With `{author}`, `{room}`, `{space}` and `{group}`, as far as each of them has one. */
  readonly inRoom: string
  readonly inGroup: string
  readonly call: string
  /** In place of a text that a message has not. */
  readonly file: string
  readonly files: string
  readonly message: string
}

/** A notification's heading and text; without words as the server put them. */
export function worded(push: PushPayload, words: PushWords | null): { title: string; body: string } {
  if (words === null) return { title: push.title, body: push.body }
  return { title: titleOf(push, words), body: bodyOf(push, words) }
}

function titleOf(push: PushPayload, words: PushWords): string {
  const { author_name: author, room_name: room, space_name: space, conversation_name: group } = push
  if (room !== undefined && space !== undefined) return fill(words.inRoom, { author, room, space })
  if (group !== undefined) return fill(words.inGroup, { author, group })
  return author
}

function bodyOf({ type, text, attachment_count: count }: PushPayload, words: PushWords): string {
  if (type === 'call') return words.call
  if (text !== '') return text
  if (count === 0) return words.message
  return count === 1 ? words.file : fill(words.files, { count: String(count) })
}

/** In one go: names of people and rooms may have braces, too. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
