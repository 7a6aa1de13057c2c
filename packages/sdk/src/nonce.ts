/** 128 bits at random. Not `crypto.randomUUID`, which browsers withhold from pages that are served without TLS. */
export function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
