/** Longer marks first: two stars are bold, not italic. */
const MARKS = ['**', '__', '~~', '`', '*']
/** A line without its line break. */
const LINE = /.+/g

/**
 * Removes the marks of bold, italic, underlined, struck and code text. Each mark is searched to the end of its line
 * at most once, so the time is linear. An expression with a backreference takes quadratic time on `*a *a *a …`.
 */
export function withoutEmphasis(text: string): string {
  return text.replace(LINE, withoutEmphasisInLine)
}

interface Span {
  mark: string
  /** Position of the closing mark. */
  end: number
}

function withoutEmphasisInLine(line: string): string {
  const unclosed = new Set<string>()
  let plain = ''
  let copied = 0
  for (let at = 0; at < line.length; at += 1) {
    const span = spanAt(line, at, unclosed)
    if (span === undefined) continue
    const { mark, end } = span
    plain += line.slice(copied, at) + line.slice(at + mark.length, end)
    copied = end + mark.length
    at = copied - 1
  }
  return plain + line.slice(copied)
}

/** @param unclosed collects marks that are not closed in the rest of the line */
function spanAt(line: string, at: number, unclosed: Set<string>): Span | undefined {
  if (/[\w\\]/.test(line.charAt(at - 1))) return undefined
  for (const mark of MARKS) {
    const first = at + mark.length
    if (!line.startsWith(mark, at) || !isText(line, first) || unclosed.has(mark)) continue
    const end = closingOf(line, mark, first + 1)
    if (end !== -1) return { mark, end }
    unclosed.add(mark)
  }
  return undefined
}

function closingOf(line: string, mark: string, from: number): number {
  let end = line.indexOf(mark, from)
  while (end !== -1 && !(isText(line, end - 1) && !/\w/.test(line.charAt(end + mark.length))))
    end = line.indexOf(mark, end + 1)
  return end
}

function isText(line: string, at: number): boolean {
  return /\S/.test(line.charAt(at))
}
