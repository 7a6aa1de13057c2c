import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { CODE } from '#src/messages/code-fence.ts'
import { fromNames, toNames } from '#src/messages/emoji-names.ts'
import type { State } from '#src/store/state.ts'
import { type Names, readable } from './readable.ts'

/** What names in a text stand for: `@Mira` for `<@id>`, `#general` for `<#id>`. */
export type Named = Readonly<Record<string, string>>

type Emojis = readonly Pick<SpaceEmoji, 'id' | 'name'>[]

const TOKEN = /<(?:@&?|#)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}>/.source

/** A text as it is sent: what its names stand for, in their places. A name that goes on as another word is none. */
export function asSent(content: string, named: Named, emojis: Emojis): string {
  const names = Object.keys(named).sort((a, b) => b.length - a.length)
  const text = fromNames(content, emojis)
  if (names.length === 0) return text
  const found = new RegExp(`${CODE}|(${names.map(escaped).join('|')})(?![\\p{L}\\p{N}_])`, 'gu')
  return text.replaceAll(found, (all, _ticks, name?: string) => (name && named[name]) ?? all)
}

/** A text that was sent, as one goes on writing it. */
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
 * The name under which something stands in a text: another one where that already stands for somebody else.
 * @param other what tells them apart
 */
export function freeName(named: Named, name: string, token: string, other?: string): string {
  const isFree = (candidate: string) => (named[candidate] ?? token) === token
  if (isFree(name)) return name
  const told = other === undefined ? name : `${name} (${other})`
  const candidates = Array.from(
    { length: Object.keys(named).length + 1 },
    (_, index) => `${told} ${index + 2}`,
  )
  return [told, ...candidates].find(isFree) ?? told
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
