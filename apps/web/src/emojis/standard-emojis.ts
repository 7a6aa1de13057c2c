import { CODE } from '#src/ui/fields/code-fence.ts'
import { loadEmojiGroups } from './emoji-data.ts'
import { EMOJI } from './emoji-text.ts'

/** Code, custom emojis and URLs, in which names are not replaced. */
const KEPT = new RegExp(`${CODE}|${EMOJI.source}|https?:\\/\\/\\S+`, 'g')
/** A colon before a name. The lookahead leaves the closing colon to open the next name. */
const NAME = /:(?=([\w+-]+):)/g

export type EmojiNames = ReadonlyMap<string, string>

/** Loads the Unicode emojis by shortcode: smile, +1. */
export async function loadEmojiNames(): Promise<EmojiNames> {
  const emojis = (await loadEmojiGroups()).flatMap((group) => group.emojis)
  return new Map(emojis.flatMap(({ text, names }) => names.map((name) => [name, text] as const)))
}

/** Replaces shortcodes such as `:smile:` with emojis, except in code and URLs. */
export function withStandardEmojis(text: string, names: EmojiNames): string {
  let written = ''
  let at = 0
  for (const kept of text.matchAll(KEPT)) {
    written += replaced(text.slice(at, kept.index), names) + kept[0]
    at = kept.index + kept[0].length
  }
  return written + replaced(text.slice(at), names)
}

function replaced(text: string, names: EmojiNames): string {
  let written = ''
  let at = 0
  for (const { index, 1: name = '' } of text.matchAll(NAME)) {
    const emoji = names.get(name.toLowerCase())
    const end = index + name.length + 2
    // `a:x:b`, `std::x::y` and times contain no emoji. Emojis may directly follow each other.
    const isAlone = (index === at && at > 0) || !/[\w:]/.test(text.charAt(index - 1))
    if (emoji === undefined || index < at || !isAlone || /\w/.test(text.charAt(end))) continue
    written += text.slice(at, index) + emoji
    at = end
  }
  return written + text.slice(at)
}
