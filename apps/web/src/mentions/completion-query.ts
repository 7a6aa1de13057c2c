/** A mention being typed: a person or role (`@`), a room (`#`), or an emoji (`:`). */
export interface CompletionQuery {
  readonly kind: '@' | '#' | ':'
  readonly query: string
  /** Position of the sign in the text. */
  readonly start: number
}

const NAME = /(?:^|[\s([{"'*_~|>])([@#])([\p{L}\p{N}_.-]{0,32})$/u
/** At least two letters, because a colon with one letter is a smiley. A colon at the end completes the name. */
const EMOJI = /(?:^|[^\w:])(:)([\w+-]{2,32}:?)$/

/** Returns the mention being typed at the caret; null if there is none, or if the caret is inside code. */
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

/** Removes case and accents, so that people need not type them. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/**
 * Ranks how well a name matches: 0 starts with the query, 1 has a word that does, 2 contains it; null without a
 * match.
 */
export function nearness(name: string, query: string): number | null {
  const [within, sought] = [folded(name), folded(query)]
  if (within.startsWith(sought)) return 0
  if (within.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought))) return 1
  return within.includes(sought) ? 2 : null
}
