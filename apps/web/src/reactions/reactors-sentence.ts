import { joined } from '#src/language/formats.ts'
import { counted } from '#src/language/texts.ts'

/** Those who are named, and how many more there are: "You, Mira and 3 others". */
export function reactorsSentence(names: readonly string[], count: number): string {
  const others = Math.max(0, count - names.length)
  const listed = others === 0 ? names : [...names, counted(others, '{count} other', '{count} others')]
  return joined(listed)
}
