/** A space emoji in a text: its name and id. */
export const EMOJI = /<:(\w{2,32}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/g
/**
 * Matches any character that is not part of an emoji. Most texts have one, which saves compiling the slow emoji
 * expression.
 */
const OTHERS = /[^\p{Emoji}\p{Emoji_Component}]/u
/** Maximum number of emoji shown large. */
const MAX_JUMBO = 27

/** Returns true if a text consists of a few emoji only, which are shown large. */
export function isJumbo(text: string): boolean {
  const rest = text.replaceAll(EMOJI, '').replaceAll(/\s/g, '')
  if (OTHERS.test(rest)) return false
  const others = rest.match(/\p{RGI_Emoji}/gv) ?? []
  const count = [...text.matchAll(EMOJI)].length + others.length
  return count > 0 && count <= MAX_JUMBO && others.join('') === rest
}
