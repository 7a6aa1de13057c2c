import type { Role } from '@foyer/protocol/roles'

export type RoleColors = Pick<Role, 'color_from' | 'color_via' | 'color_to'>

/** The colours that a role has, from one to three, as CSS has them; none when it has none. */
export function colorsOf({ color_from, color_via, color_to }: RoleColors): string[] {
  return [color_from, color_via, color_to].filter((color) => color !== null).map(hexOf)
}

/** The colours that a member's name is written in: those of the highest of their roles that has any. */
export function nameColors(roles: readonly Role[], held: readonly string[]): readonly string[] {
  const colored = roles
    .filter((role) => held.includes(role.id) && colorsOf(role).length > 0)
    .sort((a, b) => b.position - a.position)
  return colored[0] === undefined ? NONE : colorsOf(colored[0])
}

/** A colour as a role keeps it. */
export function colorNumber(hex: string): number {
  return Number.parseInt(hex.slice(1), 16)
}

const NONE: readonly string[] = []

/** Only the lower 24 bits are red, green and blue. */
function hexOf(color: number): string {
  return `#${(color & 0xffffff).toString(16).padStart(6, '0')}`
}
