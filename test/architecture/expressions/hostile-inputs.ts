import { type Part, parsePattern } from './syntax.ts'

/** A hostile input: `prefix` leads to a repeating part of the expression, `pump` is repeated, and `suffix` ends the input. */
export interface Hostile {
  prefix: string
  pump: string
  suffix: string
}

/** Characters that represent all kinds that character classes can distinguish, letters first. */
const CANDIDATES = [
  ...'aA0_ ',
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['é', '字', '\u2028', '\u00a0', '\u200b', '\u0301', '\ufeff', '😀', '\ud800'],
]
const MAX_LETTERS = 8
const MAX_PREFIXES = 24
/** Number of letters that are combined into pumps of three letters: 6³ = 216 pumps. */
const LETTERS_OF_THREE = 6

/**
 * Returns inputs that make an expression backtrack as much as possible: each text that it distinguishes, repeated after each of
 * its prefixes. Each input comes once without a suffix, and with suffixes that match no part of the expression.
 */
export function hostileInputs(expression: RegExp): Hostile[] {
  const { flags } = expression
  const pattern = parsePattern(expression)
  const classes = [...new Set(charactersIn(pattern))].map((text) => compile(text, flags))
  const { letters, stranger } = alphabetOf(classes)
  const letterOf = (text: string) => {
    const one = compile(text, flags)
    return letters.find((letter) => one.test(letter)) ?? ''
  }
  const walk = new Walk(letterOf)
  walk.visit(pattern, '')
  const pumps = [...letters, ...walk.repeated]
  const pairs = letters.flatMap((one) => letters.map((other) => one + other))
  const few = letters.slice(0, LETTERS_OF_THREE)
  const triples = few.flatMap((one) => few.flatMap((two) => few.map((three) => one + two + three)))
  const inputs = [
    ...[...pairs, ...triples].map((pump) => ({ prefix: '', pump })),
    ...[...walk.prefixes].flatMap((prefix) => pumps.map((pump) => ({ prefix, pump }))),
  ]
  return inputs.flatMap((input) => ['', stranger, `\n${stranger}`].map((suffix) => ({ ...input, suffix })))
}

function compile(source: string, flags: string): RegExp {
  return new RegExp(`^(?:${source})$`, flags.replace(/[gymd]/g, ''))
}

function charactersIn(part: Part): string[] {
  switch (part.kind) {
    case 'character':
      return [part.source]
    case 'sequence':
      return part.parts.flatMap(charactersIn)
    case 'choice':
      return part.options.flatMap(charactersIn)
    case 'mark':
      return []
    default:
      return charactersIn(part.part)
  }
}

/** Picks a letter for each set of classes that share a character. Letters in the most classes come first. */
function alphabetOf(classes: readonly RegExp[]): { letters: string[]; stranger: string } {
  const byKind = new Map<string, string>()
  for (const candidate of CANDIDATES) {
    const kind = classes.map((expression) => Number(expression.test(candidate))).join('')
    if (!byKind.has(kind)) byKind.set(kind, candidate)
  }
  const weight = (kind: string) => kind.replaceAll('0', '').length
  const kinds = [...byKind].toSorted(([one], [other]) => weight(other) - weight(one))
  const stranger = kinds.at(-1)?.[1] ?? '\0'
  const taken = kinds.filter(([kind]) => kind.includes('1')).map(([, letter]) => letter)
  // Adds a letter of each class, because the first MAX_LETTERS may not cover all classes.
  const own = classes.map((expression) => taken.find((letter) => expression.test(letter)) ?? '')
  return { letters: [...new Set([...taken.slice(0, MAX_LETTERS), ...own])].filter(Boolean), stranger }
}

/** Walks a pattern and collects, for each of its parts, a text that leads to it. */
class Walk {
  readonly prefixes = new Set([''])
  /** Texts that repeating parts match. */
  readonly repeated = new Set<string>()
  readonly #letterOf: (source: string) => string

  constructor(letterOf: (source: string) => string) {
    this.#letterOf = letterOf
  }

  /** Collects the prefixes and repeated texts of a part. @returns a text that the part matches */
  visit(part: Part, prefix: string): string {
    if (this.prefixes.size < MAX_PREFIXES) this.prefixes.add(prefix)
    switch (part.kind) {
      case 'character':
        return this.#letterOf(part.source)
      case 'sequence':
        return part.parts.reduce((text, next) => text + this.visit(next, prefix + text), '')
      case 'choice':
        return part.options.map((option) => this.visit(option, prefix)).find(Boolean) ?? ''
      case 'repeat':
        return this.#visitRepeat(part, prefix)
      case 'look':
        this.visit(part.part, prefix)
        return ''
      default:
        return ''
    }
  }

  #visitRepeat({ part, min }: Extract<Part, { kind: 'repeat' }>, prefix: string): string {
    const once = this.visit(part, prefix)
    this.repeated.add(once)
    return once.repeat(Math.max(1, min))
  }
}
