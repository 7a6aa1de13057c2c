import { withoutEmphasis } from './emphasis.ts'

/** What the ids in a text are called. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  /** Undefined for a room whose name is nothing for the reader. */
  room(id: string): string | undefined
}

/** Characters of a message that are looked at. Far fewer are shown, and all that strangers write costs its length. */
const MAX_READ = 1000
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
const EMPHASIS = /(?<![\w\\])_(?=\S)([^\n_]{1,500})(?<=[^\s\\])_(?!\w)/g
const ESCAPES = /\\([!-/:-@[-`{-~])/g
const NAMED = new RegExp(`<(@&?|#)(${UUID})>|<(:\\w{2,32}:)${UUID}>`, 'g')
const ROOMS = new RegExp(`<#(${UUID})>`, 'g')
/** They would turn around what stands beside a text. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A message's text without markup, as one line of a notification shows it: with names, and without what is hidden. */
export function plainText(content: string, names: Names): string {
  const { read, isCut } = cut(content)
  let plain = ''
  let end = 0
  for (const match of read.matchAll(PARTS)) {
    plain += plainPart(read.slice(end, match.index), names)
    plain += match[2] ?? HIDDEN
    end = match.index + match[0].length
  }
  const rest = read.slice(end)
  return cleaned(plain + (isCut ? cutPart(rest, names) : plainPart(rest, names)))
}

/** The rooms that a text may name, as far as it is looked at. */
export function listNamedRooms(content: string): string[] {
  const ids = Array.from(cut(content).read.matchAll(ROOMS), ([, id = '']) => id)
  return [...new Set(ids)]
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

function cut(content: string): { read: string; isCut: boolean } {
  return { read: content.slice(0, MAX_READ).toWellFormed(), isCut: content.length > MAX_READ }
}

/** The last part of a text that goes on. A spoiler that begins in it may end after the cut, so it is hidden. */
function cutPart(part: string, names: Names): string {
  const spoiler = part.indexOf('||')
  return spoiler < 0 ? `${plainPart(part, names)}…` : `${plainPart(part.slice(0, spoiler), names)}${HIDDEN}…`
}

function plainPart(part: string, names: Names): string {
  const lines = part.replace(FENCES, '').replace(LINE_STARTS, '').replace(LINKS, '$1')
  const text = withoutEmphasis(lines).replace(EMPHASIS, '$1').replace(ESCAPES, '$1')
  return text.replace(NAMED, (_found, kind: string | undefined, id: string, emoji: string | undefined) =>
    emoji === undefined ? nameOf(names, kind, id) : emoji,
  )
}

function nameOf(names: Names, kind: string | undefined, id: string): string {
  if (kind === '#') return `#${names.room(id) ?? '…'}`
  return `@${(kind === '@' ? names.user(id) : names.role(id)) ?? '…'}`
}
