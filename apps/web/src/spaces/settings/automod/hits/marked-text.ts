/** A text, split at the part that a rule caught. */
export interface MarkedText {
  readonly before: string
  /** Empty if the part is not in the text: it was found in a name, or beyond the end of a shortened text. */
  readonly caught: string
  readonly after: string
}

export function markedText(text: string, excerpt: string | null): MarkedText {
  const start = excerpt === null || excerpt === '' ? -1 : text.indexOf(excerpt)
  if (excerpt === null || start === -1) return { before: text, caught: '', after: '' }
  return { before: text.slice(0, start), caught: excerpt, after: text.slice(start + excerpt.length) }
}
