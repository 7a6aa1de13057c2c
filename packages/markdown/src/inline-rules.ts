import type { StateInline } from 'markdown-it'
import { addressAt } from './links.ts'

/** Plain text up to a character that may begin a mark. The rule of markdown-it does not stop at `|`. */
const TEXT = /[^\n!#$%&*+\-:<=>@[\\\]^_`{}~|]+/y

export function text(state: StateInline, silent: boolean): boolean {
  return read(state, TEXT, ([found]) => {
    if (!silent) state.pending += found
  })
}

const MENTION = /<(@&?|#)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/y
const MENTIONED: Readonly<Record<string, string>> = { '@': 'user', '@&': 'role', '#': 'room' }

/** `<@user>`, `<@&role>` and `<#room>`. */
export function mention(state: StateInline, silent: boolean): boolean {
  return read(state, MENTION, ([, kind = '', id = '']) => {
    if (!silent) state.push(MENTIONED[kind] ?? '', '', 0).content = id
  })
}

const EVERYONE = /@(?:everyone|here)(?![A-Za-z0-9_])/y

export function everyone(state: StateInline, silent: boolean): boolean {
  return read(state, EVERYONE, ([found]) => {
    if (!silent) state.push('everyone', '', 0).content = found
  })
}

const EMOJI = /<:(\w{2,32}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/y

/** A custom emoji, `<:name:id>`. */
export function emoji(state: StateInline, silent: boolean): boolean {
  return read(state, EMOJI, ([, name = '', id = '']) => {
    if (silent) return
    const token = state.push('emoji', '', 0)
    token.content = id
    token.info = name
  })
}

/** A URL in the text, detected at its colon. By then, the scheme is already pending text. */
export function address(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0 || silent || state.src[state.pos] !== ':') return false
  const scheme = /(?<![a-z0-9])https?$/i.exec(state.pending.slice(-6))?.[0]
  const rest = scheme && addressAt(state.src.slice(0, state.posMax), state.pos, scheme)
  if (scheme === undefined || !rest) return false
  state.pending = state.pending.slice(0, -scheme.length)
  const open = state.push('link_open', 'a', 1)
  open.markup = 'address'
  open.attrSet('href', scheme + rest)
  state.push('text', '', 0).content = scheme + rest
  state.push('link_close', 'a', -1)
  state.pos += rest.length
  return true
}

/** A spoiler, `||…||`. Its content is parsed like other text. */
export function spoiler(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (!src.startsWith('||', pos)) return false
  const end = endOfSpoiler(state, pos + 2)
  if (end === -1 || end + 2 > posMax || silent) return false
  state.push('spoiler_open', '', 1)
  state.pos = pos + 2
  state.posMax = end
  state.md.inline.tokenize(state)
  state.push('spoiler_close', '', -1)
  state.pos = end + 2
  state.posMax = posMax
  return true
}

/** Returns the end of the spoiler. In a run of `|`, the last two close it, so that its content can end with `|`. */
function endOfSpoiler(state: StateInline, from: number): number {
  const first = state.src.indexOf('||', from + 1)
  return first === -1 ? -1 : endOfRun(state, first) - 2
}

/** The last measured run of `|`. Without this cache, the end would be searched again for each `|` of the run. */
const runs = new WeakMap<StateInline, { from: number; end: number }>()

function endOfRun(state: StateInline, from: number): number {
  const known = runs.get(state)
  if (known !== undefined && known.from <= from && from < known.end) return known.end
  let end = from
  while (state.src[end] === '|') end += 1
  runs.set(state, { from, end })
  return end
}

/** Consumes a match at the current position, unless it reaches past the end of the parsed range. */
function read(state: StateInline, expression: RegExp, take: (found: RegExpExecArray) => void): boolean {
  expression.lastIndex = state.pos
  const found = expression.exec(state.src)
  if (found === null) return false
  const length = found[0].length
  if (state.pos + length > state.posMax) return false
  take(found)
  state.pos += length
  return true
}
