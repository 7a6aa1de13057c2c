import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { CODE } from '#src/ui/fields/code-fence.ts'
import { EMOJI } from './emoji-text.ts'

type Named = Pick<SpaceEmoji, 'id' | 'name'>

/** Replaces space emoji with their names, `:name:`, for editing. Other text is not changed. */
export function toNames(text: string, emojis: readonly Named[]): string {
  return text.replaceAll(EMOJI, (emoji, _name: string, id: string) => {
    const known = emojis.find((other) => other.id === id)
    return known === undefined ? emoji : `:${known.name}:`
  })
}

/** Replaces names of space emoji, outside of code, with `<:name:id>` for sending. */
export function fromNames(text: string, emojis: readonly Named[]): string {
  if (emojis.length === 0) return text
  const byName = new Map(emojis.map((emoji) => [emoji.name.toLowerCase(), emoji]))
  // Matches whole emoji first, so that the names in them stay. Names need no escaping, and are unique even if case is ignored.
  const found = new RegExp(`${CODE}|${EMOJI.source}|:(${[...byName.keys()].join('|')}):`, 'gi')
  return text.replaceAll(found, (all, ...[, , , written]: (string | undefined)[]) => {
    const emoji = byName.get(written?.toLowerCase() ?? '')
    return emoji === undefined ? all : `<:${emoji.name}:${emoji.id}>`
  })
}
