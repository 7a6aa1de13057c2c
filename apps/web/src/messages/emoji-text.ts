/** An emoji of a space in a text: its name and its id. */
export const EMOJI = /<:(\w{2,32}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/g
/**
 * Nothing of emojis. Most texts have such a character, and need not be held against all emojis: browsers take long to make
 * that expression ready.
 */
const OTHERS = /[^\p{Emoji}\p{Emoji_Component}]/u
/** More are a wall, not an exclamation. */
const MAX_JUMBO = 27

/** Whether a text is nothing but a few emojis, which are then shown large. */
export function isJumbo(text: string): boolean {
  const rest = text.replaceAll(EMOJI, '').replaceAll(/\s/g, '')
  if (OTHERS.test(rest)) return false
  const others = rest.match(/\p{RGI_Emoji}/gv) ?? []
  const count = [...text.matchAll(EMOJI)].length + others.length
  return count > 0 && count <= MAX_JUMBO && others.join('') === rest
}
