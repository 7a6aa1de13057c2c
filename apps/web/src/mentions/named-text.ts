import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { fromNames, toNames } from '#src/emojis/emoji-names.ts'
import type { State } from '#src/store/state.ts'
import { CODE } from '#src/ui/fields/code-fence.ts'
import { type Names, readable } from './readable.ts'

/** Names in a text and their tokens: `@Mira` for `<@id>`, `#general` for `<#id>`. */
export type Named = Readonly<Record<string, string>>

type Emojis = readonly Pick<SpaceEmoji, 'id' | 'name'>[]

const TOKEN = /<(?:@&?|#)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}>/.source

/** Replaces names with their tokens, for sending. A name followed by more letters does not count. */
export function asSent(content: string, named: Named, emojis: Emojis): string {
  const names = Object.keys(named).sort((a, b) => b.length - a.length)
  const text = fromNames(content, emojis)
  if (names.length === 0) return text
  const found = new RegExp(`${CODE}|(${names.map(escaped).join('|')})(?![\\p{L}\\p{N}_])`, 'gu')
  return text.replaceAll(found, (all, _ticks, name?: string) => (name && named[name]) ?? all)
}

/** Replaces tokens with names, for editing. */
export function asWritten(
  state: State,
  names: Names & { emojis: Emojis },
  text: string,
): { content: string; named: Named } {
  let named: Named = {}
  const found = new RegExp(`${CODE}|(${TOKEN})`, 'g')
  const content = text.replaceAll(found, (all, _ticks, token?: string) => {
    const name = token === undefined ? all : readable(state, names, token)
    if (token === undefined || name === token) return all
    const free = freeName(named, name, token)
    named = { ...named, [free]: token }
    return free
  })
  return { content: toNames(content, names.emojis), named }
}

/**
 * Returns a name for a token, made unique if the text already uses the name for a different token.
 * @param other suffix to try first, before a number
 */
export function freeName(named: Named, name: string, token: string, other?: string): string {
  const isFree = (candidate: string) => (named[candidate] ?? token) === token
  if (isFree(name)) return name
  const distinct = other === undefined ? name : `${name} (${other})`
  const candidates = Array.from(
    { length: Object.keys(named).length + 1 },
    (_, index) => `${distinct} ${index + 2}`,
  )
  return [distinct, ...candidates].find(isFree) ?? distinct
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
