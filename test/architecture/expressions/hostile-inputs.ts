import { type Part, parsePattern } from './syntax.ts'

/** `pump` is repeated as often as the input is to be long; `prefix` leads the expression to the part that repeats it. */
export interface Hostile {
  prefix: string
  pump: string
  suffix: string
}

/** One of each kind that classes of characters tell apart, letters first. */
const CANDIDATES = [
  ...'aA0_ ',
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['é', '字', '\u2028', '\u00a0', '\u200b', '\u0301', '\ufeff', '😀', '\ud800'],
]
const MAX_LETTERS = 8
const MAX_PREFIXES = 24
/** Words of three letters are made of so many: all of them are 216. */
const LETTERS_OF_THREE = 6

/**
 * Inputs that make an expression try the most: whatever it distinguishes, repeated after each of its beginnings. The last
 * character is one that no part of the expression takes.
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

/** A letter for each set of classes that some character is in, those in the most classes first. */
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
  // Every class has a letter of its own among the first ones.
  const own = classes.map((expression) => taken.find((letter) => expression.test(letter)) ?? '')
  return { letters: [...new Set([...taken.slice(0, MAX_LETTERS), ...own])].filter(Boolean), stranger }
}

/** Goes through a pattern, with the text that leads to each part of it. */
class Walk {
  readonly prefixes = new Set([''])
  /** What parts that repeat take. */
  readonly repeated = new Set<string>()
  readonly #letterOf: (source: string) => string

  constructor(letterOf: (source: string) => string) {
    this.#letterOf = letterOf
  }

  /** @returns a text that the part takes */
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
