import type { CertificatePair } from './pair.ts'

/** Answers to ACME challenges. Both methods resolve with undefined if no challenge has the token or the host. */
export interface Challenges {
  /** Returns the response to the http-01 challenge with this token (RFC 8555). */
  answer(token: string): Promise<string | undefined>
  /** Returns the certificate for the tls-alpn-01 challenge of this host (RFC 8737). */
  certificate(host: string): Promise<CertificatePair | undefined>
}
