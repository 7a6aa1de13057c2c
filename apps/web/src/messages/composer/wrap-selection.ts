/** A field's text and selection. */
export interface Selected {
  readonly text: string
  readonly start: number
  readonly end: number
}

const MARKS = new Map([
  ['b', '**'],
  ['i', '*'],
  ['u', '__'],
])

/** Returns the marks that Ctrl with this key puts around the selection; undefined for other keys. */
export function marksFor(key: string): string | undefined {
  return MARKS.get(key.toLowerCase())
}

/** Adds the marks around the selection, or removes them if they are already there. */
export function wrapped({ text, start, end }: Selected, marks: string): Selected {
  const length = marks.length
  const isWrapped = text.slice(0, start).endsWith(marks) && text.slice(end).startsWith(marks)
  const inner = text.slice(start, end)
  if (isWrapped && !isOtherMark(text, start, marks)) {
    const bare = text.slice(0, start - length) + inner + text.slice(end + length)
    return { text: bare, start: start - length, end: end - length }
  }
  const marked = text.slice(0, start) + marks + inner + marks + text.slice(end)
  return { text: marked, start: start + length, end: end + length }
}

/** Returns true for a star of a bold mark (`**`), which is not an italic mark. */
function isOtherMark(text: string, start: number, marks: string): boolean {
  const before = /(?<!\*)\*+$/.exec(text.slice(0, start))?.[0].length ?? 0
  return marks === '*' && before === 2
}
