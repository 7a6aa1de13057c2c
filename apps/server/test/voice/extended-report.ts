const EXTENDED_REPORT = 207

/** Returns an extended report (RFC 3611) with a block of another kind, followed by the client's time. */
export function clientTime(ssrc: number, time: number): Buffer {
  const report = Buffer.alloc(28)
  report.writeUInt32BE(((0x80 << 24) | (EXTENDED_REPORT << 16) | 6) >>> 0)
  report.writeUInt32BE(ssrc, 4)
  // A block of type 7, with one word.
  report.writeUInt32BE(0x07_00_00_01, 8)
  report.writeUInt32BE(0x04_00_00_02, 16)
  report.writeUInt32BE(time >>> 16, 20)
  report.writeUInt32BE((time << 16) >>> 0, 24)
  return report
}
