/** Counts like the server: code points, without surrounding whitespace. */
export function lengthOf(content: string): number {
  return [...content.trim()].length
}
