/** As the server counts: code points, without the space around. */
export function lengthOf(content: string): number {
  return [...content.trim()].length
}
