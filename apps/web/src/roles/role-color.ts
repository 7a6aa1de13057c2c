import type { Role } from '@foyer/protocol/roles'

export type RoleColors = Pick<Role, 'color_from' | 'color_via' | 'color_to'>

/** The colours of a role in CSS notation: up to three. */
export function colorsOf({ color_from, color_via, color_to }: RoleColors): string[] {
  return [color_from, color_via, color_to].filter((color) => color !== null).map(hexOf)
}

/** The colours of a member's name, from the highest role with a colour. */
export function nameColors(roles: readonly Role[], held: readonly string[]): readonly string[] {
  const colored = roles
    .filter((role) => held.includes(role.id) && colorsOf(role).length > 0)
    .sort((a, b) => b.position - a.position)
  return colored[0] === undefined ? NONE : colorsOf(colored[0])
}

/** Parses a CSS hex colour to the number that a role stores. */
export function colorNumber(hex: string): number {
  return Number.parseInt(hex.slice(1), 16)
}

const NONE: readonly string[] = []

/** A color in CSS notation. Uses the lower 24 bits only: red, green and blue. */
export function hexOf(color: number): string {
  return `#${(color & 0xffffff).toString(16).padStart(6, '0')}`
}
