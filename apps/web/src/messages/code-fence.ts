const FENCE = '```'

/** Blocks and spans of code, as `findMentions` of the protocol sees them. Its first group is the ticks of a span. */
export const CODE = /```[\s\S]*?```|(?<!`)(`+)(?!`)(?:(?!\1(?!`))[\s\S])*?(?<!`)\1(?!`)/.source

/** Whether what is written at this place belongs to a block of code, closed later or not yet. */
export function isInFence(text: string, place: number): boolean {
  return text.slice(0, place).split(FENCE).length % 2 === 0
}
