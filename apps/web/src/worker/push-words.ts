import type { PushPayload } from '@foyer/protocol/notifications'

/** Translated notification templates, because the worker has no translations. */
export interface PushWords {
  /** May contain `{author}`, `{room}` and `{space}`. `inGroup` may contain `{author}` and `{group}`. */
  readonly inRoom: string
  readonly inGroup: string
  readonly call: string
  /** May contain `{space}`. */
  readonly raidTitle: string
  readonly raid: string
  /** Replaces the text of a message that has only a file. */
  readonly file: string
  readonly files: string
  readonly message: string
  /** Missing in texts that an older client stored. */
  readonly testTitle?: string
  readonly test?: string
}

/** Returns a notification's title and body in the user's language, or the server's if there are no templates. */
export function worded(push: PushPayload, words: PushWords | null): { title: string; body: string } {
  if (words === null) return { title: push.title, body: push.body }
  if (push.type === 'test') return { title: words.testTitle ?? push.title, body: words.test ?? push.body }
  return { title: titleOf(push, words), body: bodyOf(push, words) }
}

function titleOf(push: PushPayload, words: PushWords): string {
  const { author_name: author = '', room_name: room, space_name: space, conversation_name: group } = push
  if (push.type === 'raid') return fill(words.raidTitle, { space: space ?? '' })
  if (room !== undefined && space !== undefined) return fill(words.inRoom, { author, room, space })
  if (group !== undefined) return fill(words.inGroup, { author, group })
  return author
}

function bodyOf({ type, text, attachment_count: count }: PushPayload, words: PushWords): string {
  if (type === 'raid') return words.raid
  if (type === 'call') return words.call
  if (text !== '') return text
  if (count === 0) return words.message
  return count === 1 ? words.file : fill(words.files, { count: String(count) })
}

/** Fills in all values in one pass, because names of users and rooms may also contain braces. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
