import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CertificatePair } from '#src/kernel/tls/pair.ts'
import { makeChallengeCertificate } from '#src/operating/certificates/acme.ts'
import { isInstalled } from '../valkey/valkey.ts'

/** Reason to skip tests that need certificates, or false. With CI set, they fail instead of being skipped. */
export const withoutOpenssl =
  !isInstalled('openssl', 'version') && process.env.CI === undefined && 'openssl is not installed'

/** Makes an expired certificate, which the openssl command refuses to make. */
export function makeEndedPair(host: string): Promise<CertificatePair> {
  return makeChallengeCertificate(host, 'any')
}

/** Makes a self-signed certificate. */
export async function makePair(host: string): Promise<CertificatePair> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-pair-'))
  const [key, chain] = [join(folder, 'key.pem'), join(folder, 'chain.pem')]
  const address = ['-subj', '/CN=Foyer test', '-addext', `subjectAltName=${nameOf(host)}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...address, '-keyout', key, '-out', chain], {
      stdio: 'ignore',
    })
    return { chain: await readFile(chain, 'utf8'), key: await readFile(key, 'utf8') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function nameOf(host: string): string {
  return /^[\d.]+$/.test(host) ? `IP:${host}` : `DNS:${host}`
}
