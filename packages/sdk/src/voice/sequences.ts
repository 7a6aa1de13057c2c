/** Returns how far a 16-bit sequence number is ahead of `other`, with wraps; negative if it is behind. */
export function aheadOf(sequence: number, other: number): number {
  const distance = (sequence - other) & 0xffff
  return distance < 0x80_00 ? distance : distance - 0x1_00_00
}
