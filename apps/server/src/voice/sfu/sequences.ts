/** Returns how far `sequence` is ahead of `other` (negative if it is older), with wrap-around at 16 bits. */
export function difference(sequence: number, other: number): number {
  return ((sequence - other) << 16) >> 16
}
