import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { CODE } from './code-fence.ts'
import { EMOJI } from './emoji-text.ts'

type Named = Pick<SpaceEmoji, 'id' | 'name'>

/** A text as it is written by people: emojis of the space by their names, `:name:`. All others stay as they are. */
export function toNames(text: string, emojis: readonly Named[]): string {
  return text.replaceAll(EMOJI, (emoji, _name: string, id: string) => {
    const known = emojis.find((other) => other.id === id)
    return known === undefined ? emoji : `:${known.name}:`
  })
}

/** A text as it is sent: `<:name:id>` for each emoji of the space that stands there by its name, but in code. */
export function fromNames(text: string, emojis: readonly Named[]): string {
  if (emojis.length === 0) return text
  const byName = new Map(emojis.map((emoji) => [emoji.name.toLowerCase(), emoji]))
  // Whole emojis first: the names in them are theirs. Names are letters, digits and _, and unique whatever their case.
  const found = new RegExp(`${CODE}|${EMOJI.source}|:(${[...byName.keys()].join('|')}):`, 'gi')
  return text.replaceAll(found, (all, ...[, , , written]: (string | undefined)[]) => {
    const emoji = byName.get(written?.toLowerCase() ?? '')
    return emoji === undefined ? all : `<:${emoji.name}:${emoji.id}>`
  })
}
