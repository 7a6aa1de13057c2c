const FENCE = '```'

/** Whether what is written at this place belongs to a block of code, closed later or not yet. */
export function isInFence(text: string, place: number): boolean {
  return text.slice(0, place).split(FENCE).length % 2 === 0
}
