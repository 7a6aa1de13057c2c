import { withoutEmphasis } from './emphasis.ts'

/** Resolves ids in a text to names. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  /** Undefined for a room whose name the recipient must not see. */
  room(id: string): string | undefined
}

/** Maximum characters of a message that are parsed. A notification shows far fewer, and parsing takes time. */
const MAX_READ = 1000
/** Replaces hidden text, in every language. */
const HIDDEN = '█████'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/**
 * Spoilers, and code on one line, which cannot contain spoilers. Code of several lines is not recognized here, so spoilers
 * in it are hidden, too.
 */
const PARTS = /(?<![`\\])(`+)(?!`)([^`\n]+)\1(?!`)|\|\|[\s\S]+?\|\|+/g
const FENCES = /^ {0,3}```.*$/gm
const LINE_STARTS = /^ {0,3}(?:#{1,3} +|>+ ?)/gm
const LINKS = /\[([^\][\n]{1,300})\]\(https?:\/\/[^\s()<>]{1,2000}\)/g
const EMPHASIS = /(?<![\w\\])_(?=\S)([^\n_]{1,500})(?<=[^\s\\])_(?!\w)/g
const ESCAPES = /\\([!-/:-@[-`{-~])/g
const NAMED = new RegExp(`<(@&?|#)(${UUID})>|<(:\\w{2,32}:)${UUID}>`, 'g')
const ROOMS = new RegExp(`<#(${UUID})>`, 'g')
/** Control characters, and characters that would reverse the text around them. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Returns a message's text as one line of a notification: without markup and spoilers, with names for ids. */
export function notificationText(content: string, names: Names): string {
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

/** Returns the ids of the rooms mentioned in the first MAX_READ characters of the text. */
export function listNamedRooms(content: string): string[] {
  const ids = Array.from(cut(content).read.matchAll(ROOMS), ([, id = '']) => id)
  return [...new Set(ids)]
}

/** Removes control characters from other people's text. */
export function cleaned(text: string): string {
  return text.replace(/\s+/g, ' ').replace(CONTROLS, '').trim()
}

/** Shortens a text to `length` characters, with an ellipsis if it was longer. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, 2 * length + 2))
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

function cut(content: string): { read: string; isCut: boolean } {
  return { read: content.slice(0, MAX_READ).toWellFormed(), isCut: content.length > MAX_READ }
}

/** Renders the last part of a cut text. A spoiler that begins in it is hidden, because it may end after the cut. */
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
