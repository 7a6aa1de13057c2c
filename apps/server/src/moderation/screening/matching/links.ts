import { foldCharacter, Kind, kindOf, skeletonOf } from './characters.ts'
import { isAscii } from './folding.ts'
import { asciiHost } from './hosts.ts'
import { findMarkup, Role } from './markup.ts'

/** A link, or a host name that a person could copy. */
export interface Link {
  /** Position in the text. */
  readonly start: number
  readonly end: number
  /** Lower case, punycode, without port. */
  readonly host: string
  /** Host with the port, unless it is the scheme's default. */
  readonly authority: string
  readonly path: string
  /** True without a scheme and without www: it may be a file name or the end of a sentence. */
  readonly isBare: boolean
}

/** A text in which to find links, with lookalike characters replaced as browsers do in addresses. */
export interface LinkText {
  readonly text: string
  /** For each UTF-16 unit, its position in the original text; undefined if nothing moved. */
  readonly places: readonly number[] | undefined
}

const SCHEME = /https?:[\\/]+/gi
const RUN = /[\p{L}\p{N}\p{M}.-]+/gu
const TOP_LEVEL = /^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu
const AUTHORITY_END = /[\s<>"`/\\?#]/
const LINK_END = /[\s<>"`]/
const NO_HOST = /[()*|,;!'"{}\]~]/
const TRAILING = /[.,:;!?'"*_~|)\]}]/
const MAX_HOST_UNITS = 253
const MAX_PATH_UNITS = 300
const LOOKALIKES = '.:/'
/** Full stops of Chinese and Japanese, which browsers treat as dots. */
const FULL_STOPS = '。｡'

/** Replaces wide and lookalike characters. Drops invisible characters and, with `dropsMarks`, Markdown marks. */
export function prepareLinks(text: string, dropsMarks: boolean): LinkText {
  const roles = dropsMarks ? findMarkup(text) : undefined
  if (roles === undefined && isAscii(text)) return { text, places: undefined }
  const places: number[] = []
  let prepared = ''
  let at = 0
  for (const character of text) {
    const shown = roles?.[at] === Role.mark ? '' : asLinkText(character)
    for (let unit = 0; unit < shown.length; unit += 1) places.push(at)
    prepared += shown
    at += character.length
  }
  places.push(at)
  return { text: prepared, places }
}

/** Finds links with a scheme, including those that a client shows with another text. */
export function* findLinks({ text, places }: LinkText): Generator<Link> {
  const last = { end: 0, trimmed: 0 }
  for (const { index, 0: scheme } of text.matchAll(SCHEME)) {
    const from = index + scheme.length
    const pathAt = endOf(text, from, AUTHORITY_END)
    // Links without a space between them have the same end, which is searched only once.
    if (pathAt >= last.end) {
      last.end = endOf(text, pathAt, LINK_END)
      last.trimmed = trimmedEnd(text, pathAt, last.end)
    }
    const end = Math.max(pathAt, last.trimmed)
    const path = text.slice(pathAt, Math.min(end, pathAt + MAX_PATH_UNITS))
    const url = parse(scheme, text.slice(from, pathAt), path)
    if (url !== undefined)
      yield { ...url, start: placeAt(places, index), end: placeAt(places, end), isBare: false }
  }
}

/** Finds host names without a scheme, and the paths after them. */
export function* findHosts({ text, places }: LinkText): Generator<Link> {
  for (const { index, 0: run } of text.matchAll(RUN)) {
    const name = run.replace(/^[.-]+/, '').slice(-MAX_HOST_UNITS)
    const trimmed = name.replace(/(?<![.-])[.-]+$/, '')
    const isNamed = TOP_LEVEL.test(trimmed.slice(trimmed.lastIndexOf('.') + 1))
    const dotted = trimmed.includes('.') && isNamed && !isMail(text, index)
    const host = dotted ? asciiHost(trimmed.toLowerCase()) : undefined
    if (host === undefined) continue
    const pathAt = index + run.length
    const path = /[/\\:]/.test(text.charAt(pathAt)) ? text.slice(pathAt, pathAt + MAX_PATH_UNITS) : ''
    const [shown = ''] = path.split(LINK_END, 1)
    const isBare = !host.startsWith('www.')
    const [start, end] = [placeAt(places, index), placeAt(places, pathAt + shown.length)]
    yield {
      start,
      end,
      host,
      authority: host,
      path: shown.replaceAll('\\', '/').replace(/^:\d*/, ''),
      isBare,
    }
  }
}

function asLinkText(character: string): string {
  if (character < '\u0080') return character
  if (kindOf(character) === Kind.ignored) return ''
  if (FULL_STOPS.includes(character)) return '.'
  const skeleton = skeletonOf(character)
  if (LOOKALIKES.includes(skeleton)) return skeleton
  const folded = character.normalize('NFKC')
  return foldCharacter(character) === character ? character : folded
}

/** Parses an address as a browser does: with user names, ports, percent signs and backslashes. */
function parse(
  scheme: string,
  authority: string,
  path: string,
): Omit<Link, 'start' | 'end' | 'isBare'> | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const [named = ''] = host.startsWith('[') ? [host] : host.split(NO_HOST, 1)
  const url = URL.parse(
    `${scheme.startsWith('https') ? 'https' : 'http'}://${named.replace(/:$/, '')}${path}`,
  )
  if (url === null || url.hostname === '') return undefined
  return { host: url.hostname.replace(/\.$/, ''), authority: url.host, path: url.pathname }
}

/** Returns whether the name at this position is the host of an email address. */
function isMail(text: string, at: number): boolean {
  return text.charAt(at - 1) === '@' && /[\p{L}\p{N}]/u.test(text.charAt(at - 2))
}

function endOf(text: string, from: number, end: RegExp): number {
  let at = from
  while (at < text.length && !end.test(text.charAt(at))) at += 1
  return at
}

/** Removes the punctuation after a link. */
function trimmedEnd(text: string, from: number, end: number): number {
  let at = end
  while (at > from && TRAILING.test(text.charAt(at - 1))) at -= 1
  return at
}

function placeAt(places: readonly number[] | undefined, at: number): number {
  return places === undefined ? at : (places[at] ?? at)
}
