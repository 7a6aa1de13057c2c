/** Returns how far the first is ahead of the second, with wrap-around at 16 bits. */
export function difference(sequence: number, other: number): number {
  return ((sequence - other) << 16) >> 16
}
