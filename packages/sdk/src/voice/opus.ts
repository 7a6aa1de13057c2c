/** Frame durations in milliseconds for each mode of Opus, by the upper five bits of the first byte (RFC 6716, 3.1). */
const SILK_MS = [10, 20, 40, 60]
const HYBRID_MS = [10, 20]
const CELT_MS = [2.5, 5, 10, 20]

/** Returns the duration of an Opus packet in milliseconds. Source: RFC 6716, 3.1 and 3.2. */
export function opusDurationMs(packet: Uint8Array): number {
  const toc = packet[0] ?? 0
  return frameMs(toc >> 3) * frameCount(toc & 3, packet)
}

function frameMs(configuration: number): number {
  if (configuration < 12) return SILK_MS[configuration % 4] ?? 0
  return (configuration < 16 ? HYBRID_MS[configuration % 2] : CELT_MS[configuration % 4]) ?? 0
}

function frameCount(code: number, packet: Uint8Array): number {
  if (code === 0) return 1
  return code === 3 ? (packet[1] ?? 0) & 63 : 2
}
