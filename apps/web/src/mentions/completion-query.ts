/** What somebody is about to name: a person or a role (`@`), a room (`#`), an emoji (`:`). */
export interface CompletionQuery {
  readonly kind: '@' | '#' | ':'
  readonly query: string
  /** Where its sign stands in the text. */
  readonly start: number
}

const NAME = /(?:^|[\s([{"'*_~|>])([@#])([\p{L}\p{N}_.-]{0,32})$/u
/** One letter is a smiley. With a colon behind it the name is written to its end. */
const EMOJI = /(?:^|[^\w:])(:)([\w+-]{2,32}:?)$/

/** What is being named at the caret; null where nothing is, and in code. */
export function completionQuery(text: string, caret: number): CompletionQuery | null {
  const before = text.slice(0, caret)
  if (isInCode(before)) return null
  const [, sign, query = ''] = NAME.exec(before) ?? EMOJI.exec(before) ?? []
  if (sign !== '@' && sign !== '#' && sign !== ':') return null
  return { kind: sign, query, start: caret - query.length - 1 }
}

function isInCode(before: string): boolean {
  const fences = before.split('```')
  const line = (fences.at(-1) ?? '').split('\n').at(-1) ?? ''
  return fences.length % 2 === 0 || line.split('`').length % 2 === 0
}

/** Folds away what people do not type: case and accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** How near a name is to what was typed: 0 begins so, 1 has a word that does, 2 has it somewhere; null for none of these. */
export function nearness(name: string, query: string): number | null {
  const [within, sought] = [folded(name), folded(query)]
  if (within.startsWith(sought)) return 0
  if (within.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought))) return 1
  return within.includes(sought) ? 2 : null
}
