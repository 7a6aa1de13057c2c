/** Clocks of providers may differ by this much from ours. */
export const CLOCK_TOLERANCE_SECONDS = 5 * 60

/** Accepted signature algorithms, all with a key pair. With a shared secret, or without a signature, others could forge tokens. */
export const SIGNATURES: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
]
