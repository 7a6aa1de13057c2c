import type { CertificatePair } from './pair.ts'

/** Proofs for ACME servers that the host leads here. Undefined where none asked for one. */
export interface Challenges {
  /** Returns the text for a token, by HTTP (RFC 8555). */
  answer(token: string): Promise<string | undefined>
  /** Returns the certificate for a host, by TLS (RFC 8737). */
  certificate(host: string): Promise<CertificatePair | undefined>
}
