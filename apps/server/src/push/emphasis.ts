type Mark = '*' | '~' | '_'

/** Adjacent characters of the same mark, such as `**`. */
interface Run {
  mark: Mark
  /** Range of the characters that are not paired yet. */
  start: number
  end: number
}

/** Escaped characters and line ends are tokens, too. A single `_` is not a mark here, because names contain it. */
const TOKENS = /\\[^\n]|\n|\*+|~{2,}|_{2,}/g
/** Minimum length of a mark. `~a~` is not emphasis, and plain-text.ts handles `_a_`. */
const LEAST: Readonly<Record<Mark, number>> = { '*': 1, '~': 2, _: 2 }

/** Removes pairs of emphasis marks on one line. Reads the text once, with any number of open marks. */
export function withoutEmphasis(text: string): string {
  const dropped = new Uint8Array(text.length)
  let open = new OpenRuns()
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '\n') open = new OpenRuns()
    const [mark = ''] = token
    if (!isMark(mark)) continue
    const run = { mark, start: index, end: index + token.length }
    const [isAfterText, isBeforeText] = [isText(text[run.start - 1]), isText(text[run.end])]
    if (isAfterText) open.pair(run, dropped)
    if (isBeforeText && isLeft(run)) open.push(run)
  }
  return Array.from(dropped, (isDropped, at) => (isDropped ? '' : text[at])).join('')
}

class OpenRuns {
  readonly #runs: Run[] = []
  readonly #counts: Record<Mark, number> = { '*': 0, '~': 0, _: 0 }

  push(run: Run): void {
    this.#runs.push(run)
    this.#counts[run.mark] += 1
  }

  /** Closes the latest open runs of the same mark. Open runs of other marks between the two stay text. */
  pair(closing: Run, dropped: Uint8Array): void {
    while (isLeft(closing) && this.#counts[closing.mark] > 0) {
      const opening = this.#runs.at(-1)
      if (opening?.mark === closing.mark) drop(opening, closing, dropped)
      if (opening?.mark !== closing.mark || !isLeft(opening)) this.#pop()
    }
  }

  #pop(): void {
    const run = this.#runs.pop()
    if (run !== undefined) this.#counts[run.mark] -= 1
  }
}

/** Drops the characters that pair the two runs, from the end of the first run and from the start of the second. */
function drop(opening: Run, closing: Run, dropped: Uint8Array): void {
  const both = Math.min(lengthOf(opening), lengthOf(closing))
  const count = both - (both % LEAST[opening.mark])
  dropped.fill(1, opening.end - count, opening.end)
  dropped.fill(1, closing.start, closing.start + count)
  opening.end -= count
  closing.start += count
}

function isMark(character: string): character is Mark {
  return character in LEAST
}

function isText(character: string | undefined): boolean {
  return character !== undefined && /\S/.test(character)
}

function isLeft(run: Run): boolean {
  return lengthOf(run) >= LEAST[run.mark]
}

function lengthOf({ start, end }: Run): number {
  return end - start
}
