import { CODE } from '#src/messages/code-fence.ts'
import { EMOJI } from '#src/messages/emoji-text.ts'
import { loadEmojiGroups } from './emoji-data.ts'

/** Code, emojis of a space and addresses: the names in them stay as they are. */
const KEPT = new RegExp(`${CODE}|${EMOJI.source}|https?:\\/\\/\\S+`, 'g')
/** A colon with a name after it. The colon that closes the name may open the next one. */
const NAME = /:(?=([\w+-]+):)/g

export type EmojiNames = ReadonlyMap<string, string>

/** The emojis of Unicode by the names that stand between colons: smile, +1. */
export async function loadEmojiNames(): Promise<EmojiNames> {
  const emojis = (await loadEmojiGroups()).flatMap((group) => group.emojis)
  return new Map(emojis.flatMap(({ text, names }) => names.map((name) => [name, text] as const)))
}

/** The text with `:smile:` and its like as emojis, but not in code and addresses. */
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
    // In `a:x:b`, `std::x::y` and times it is no emoji. Emojis may follow each other.
    const isAlone = (index === at && at > 0) || !/[\w:]/.test(text.charAt(index - 1))
    if (emoji === undefined || index < at || !isAlone || /\w/.test(text.charAt(end))) continue
    written += text.slice(at, index) + emoji
    at = end
  }
  return written + text.slice(at)
}
