/** Returns the colour of a tag for a stylesheet, or undefined without one. */
export function tagColor(color: number | null): string | undefined {
  return color === null ? undefined : `#${color.toString(16).padStart(6, '0')}`
}
