/** Returns the colour of a tag in CSS notation; undefined for a tag without a colour. */
export function tagColor(color: number | null): string | undefined {
  return color === null ? undefined : `#${color.toString(16).padStart(6, '0')}`
}
