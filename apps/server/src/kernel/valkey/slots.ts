const SLOTS = 16_384

/**
 * Returns a cluster's slot for a key: CRC-16 (XMODEM) of the text between its first braces, or of the whole key
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags).
 */
export function slotOf(key: string): number {
  const tag = /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key
  return crc16(Buffer.from(tag)) % SLOTS
}

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = shifted(crc ^ (byte << 8))
  return crc
}

function shifted(value: number): number {
  let crc = value
  for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  return crc
}
