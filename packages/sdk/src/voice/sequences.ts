/** Returns how far a sequence number of 16 bits is ahead of another one; negative if it is behind. */
export function aheadOf(sequence: number, other: number): number {
  const distance = (sequence - other) & 0xffff
  return distance < 0x80_00 ? distance : distance - 0x1_00_00
}
