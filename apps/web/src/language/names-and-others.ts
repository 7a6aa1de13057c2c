import { joined } from './formats.ts'
import { counted } from './texts.ts'

/** Lists some people by name and counts the others: "You, Mira and 3 others". */
export function namesAndOthers(names: readonly string[], count: number): string {
  const others = Math.max(0, count - names.length)
  const listed = others === 0 ? names : [...names, counted(others, '{count} other', '{count} others')]
  return joined(listed)
}
