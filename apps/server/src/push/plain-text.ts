/** What the ids in a text are called. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  /** Undefined for a room whose name is nothing for the reader. */
  room(id: string): string | undefined
}

/** In every language the same. */
const HIDDEN = '█████'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/**
 * What is hidden, and code on one line, in which nothing is. Whether longer code is code depends on what is around it: there
 * it is rather hidden than told.
 */
const PARTS = /(?<![`\\])(`+)(?!`)([^`\n]+)\1(?!`)|\|\|[\s\S]+?\|\|+/g
const FENCES = /^ {0,3}```.*$/gm
const LINE_STARTS = /^ {0,3}(?:#{1,3} +|>+ ?)/gm
const LINKS = /\[([^\][\n]{1,300})\]\(https?:\/\/[^\s()<>]{1,2000}\)/g
const STRONG = /(?<!\\)(\*{1,3}|~~|__)(?=\S)([^\n]{1,500}?)(?<=[^\s\\])\1/g
const EMPHASIS = /(?<![\w\\])_(?=\S)([^\n_]{1,500})(?<=[^\s\\])_(?!\w)/g
const ESCAPES = /\\([!-/:-@[-`{-~])/g
const NAMED = new RegExp(`<(@&?|#)(${UUID})>|<(:\\w{2,32}:)${UUID}>`, 'g')
/** They would turn around what stands beside a text. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A message's text without markup, as one line of a notification shows it: with names, and without what is hidden. */
export function plainText(content: string, names: Names): string {
  let plain = ''
  let end = 0
  for (const match of content.matchAll(PARTS)) {
    plain += plainPart(content.slice(end, match.index), names)
    plain += match[2] ?? HIDDEN
    end = match.index + match[0].length
  }
  return cleaned(plain + plainPart(content.slice(end), names))
}

/** Text of others beside which something else stands. */
export function cleaned(text: string): string {
  return text.replace(/\s+/g, ' ').replace(CONTROLS, '').trim()
}

/** At most so many characters, the last of which tells that there were more. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * length + 2))
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

function plainPart(part: string, names: Names): string {
  const lines = part.replace(FENCES, '').replace(LINE_STARTS, '').replace(LINKS, '$1')
  // Three markers may stand in each other.
  const unmarked = lines.replace(STRONG, '$2').replace(STRONG, '$2').replace(STRONG, '$2')
  const text = unmarked.replace(EMPHASIS, '$1').replace(ESCAPES, '$1')
  return text.replace(NAMED, (_found, kind: string | undefined, id: string, emoji: string | undefined) =>
    emoji === undefined ? nameOf(names, kind, id) : emoji,
  )
}

function nameOf(names: Names, kind: string | undefined, id: string): string {
  if (kind === '#') return `#${names.room(id) ?? '…'}`
  return `@${(kind === '@' ? names.user(id) : names.role(id)) ?? '…'}`
}
