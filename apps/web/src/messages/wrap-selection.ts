/** A text in a field, with what is selected of it. */
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

/** The marks that Ctrl with this key puts around what is selected; undefined for other keys. */
export function marksFor(key: string): string | undefined {
  return MARKS.get(key.toLowerCase())
}

/** The text with marks around what is selected, or without them where they are there already. */
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

/** One star of two is no mark of its own. */
function isOtherMark(text: string, start: number, marks: string): boolean {
  const before = /(?<!\*)\*+$/.exec(text.slice(0, start))?.[0].length ?? 0
  return marks === '*' && before === 2
}
