/** A part of a regular expression, as detailed as hostile inputs need. */
export type Part =
  | { kind: 'sequence'; parts: readonly Part[] }
  | { kind: 'choice'; options: readonly Part[] }
  | { kind: 'repeat'; part: Part; min: number }
  /** One character: a literal, an escape or a class. `source` is its text in the expression. */
  | { kind: 'character'; source: string }
  /** A lookaround, which consumes no character. */
  | { kind: 'look'; part: Part }
  /** A boundary, or a reference to a group. */
  | { kind: 'mark' }

const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y
const GROUP_START = /\((?:\?(?:(<?[=!])|:|<[A-Za-z_$][\w$]*>|[a-z-]*:))?/y
const CHARACTER =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|[\ud800-\udbff][\udc00-\udfff]|[\s\S]/y
const MARK = /[\^$]|\\[bB]|\\[1-9]\d*|\\k<[^>]*>/y

/** Parses the source of a valid regular expression. */
export function parsePattern({ source, unicodeSets }: Pick<RegExp, 'source' | 'unicodeSets'>): Part {
  return new PatternReader(source, unicodeSets).readChoice()
}

class PatternReader {
  readonly #source: string
  /** True with the flag `v`, where classes can contain classes. */
  readonly #areNested: boolean
  #at = 0

  constructor(source: string, areNested: boolean) {
    this.#source = source
    this.#areNested = areNested
  }

  readChoice(): Part {
    const options = [this.#readSequence()]
    while (this.#take('|')) options.push(this.#readSequence())
    return options.length === 1 ? this.#first(options) : { kind: 'choice', options }
  }

  #first(options: readonly Part[]): Part {
    return options[0] ?? { kind: 'mark' }
  }

  #readSequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#peek())) parts.push(this.#readRepeat())
    return { kind: 'sequence', parts }
  }

  #readRepeat(): Part {
    const part = this.#readOne()
    const found = this.#match(QUANTIFIER)
    if (found === undefined) return part
    const [text, min] = found
    return { kind: 'repeat', part, min: text.startsWith('+') ? 1 : Number(min ?? 0) }
  }

  #readOne(): Part {
    if (this.#match(MARK)) return { kind: 'mark' }
    const group = this.#match(GROUP_START)
    if (group !== undefined) {
      const part = this.readChoice()
      this.#take(')')
      return group[1] === undefined ? part : { kind: 'look', part }
    }
    if (this.#peek() === '[') return { kind: 'character', source: this.#readClass() }
    return { kind: 'character', source: this.#match(CHARACTER)?.[0] ?? '' }
  }

  #readClass(): string {
    const start = this.#at
    let depth = 0
    do {
      const [character = ''] = this.#match(CHARACTER) ?? []
      if (character === '[' && (this.#areNested || depth === 0)) depth += 1
      if (character === ']') depth -= 1
    } while (depth > 0)
    return this.#source.slice(start, this.#at)
  }

  #peek(): string {
    return this.#source.charAt(this.#at)
  }

  #take(character: string): boolean {
    const isThere = this.#peek() === character
    if (isThere) this.#at += 1
    return isThere
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }
}
