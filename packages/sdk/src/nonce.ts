/** Returns 128 random bits. `crypto.randomUUID` is missing on pages without TLS. */
export function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
