import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate with its private key, both PEM. */
export interface CertificatePair {
  /** The certificate, followed by its issuers. */
  chain: string
  key: string
}

/** A certificate and key that belong together. */
export interface CheckedPair extends CertificatePair {
  /** Start and end of the validity, in milliseconds since 1970. */
  startsAt: number
  endsAt: number
  /** The host's own certificate. */
  certificate: X509Certificate
}

/**
 * Reads a certificate and its key, and checks that they belong together.
 * @param names names of the certificate and the key in error messages
 * @throws Error with a message for the operator
 */
export function checkPair(
  { chain, key }: CertificatePair,
  names = { chain: 'the certificate', key: 'the key' },
): CheckedPair {
  const certificate = readCertificate(chain, names.chain)
  if (!certificate.checkPrivateKey(readKey(key, names.key)))
    throw new Error(`${names.chain} does not belong to ${names.key}`)
  return {
    ...{ chain, key },
    startsAt: certificate.validFromDate.getTime(),
    endsAt: certificate.validToDate.getTime(),
    certificate,
  }
}

/** Returns whether the certificate is valid at this time. */
export function isTimely({ startsAt, endsAt }: CheckedPair, now: number): boolean {
  return startsAt <= now && now < endsAt
}

/** @param hostname an IPv6 address may have brackets, as in a URL */
export function coversHost(certificate: X509Certificate, hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)
  return found !== undefined
}

function readCertificate(chain: string, name: string): X509Certificate {
  try {
    return new X509Certificate(chain)
  } catch {
    throw new Error(`${name} is no certificate in PEM`)
  }
}

function readKey(key: string, name: string): KeyObject {
  if (/ENCRYPTED/.test(key.slice(0, 200)))
    throw new Error(`${name} is encrypted: save it without a passphrase`)
  try {
    return createPrivateKey(key)
  } catch {
    throw new Error(`${name} is no private key in PEM`)
  }
}
