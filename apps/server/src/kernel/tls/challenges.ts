import type { CertificatePair } from './pair.ts'

/** Answers to ACME challenges. Both methods resolve with undefined if no challenge has the token or the host. */
export interface Challenges {
  /** Returns the text for a token, by HTTP (RFC 8555). */
  answer(token: string): Promise<string | undefined>
  /** Returns the certificate for a host, by TLS (RFC 8737). */
  certificate(host: string): Promise<CertificatePair | undefined>
}
