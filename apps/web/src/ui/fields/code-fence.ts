const FENCE = '```'

/** Blocks and spans of code, as matched by `findMentions` in the protocol. Its first group captures the backticks of a span. */
export const CODE = /```[\s\S]*?```|(?<!`)(`+)(?!`)(?:(?!\1(?!`))[\s\S])*?(?<!`)\1(?!`)/.source

/** Returns true if the position is inside a code block, closed or still open. */
export function isInFence(text: string, position: number): boolean {
  return text.slice(0, position).split(FENCE).length % 2 === 0
}
