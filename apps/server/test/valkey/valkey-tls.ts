import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, isInstalled, startValkey, type TestValkey, withoutValkey } from './valkey.ts'

/** A Valkey with TLS. Its certificate is self-signed, so clients trust it only if it is passed to them. */
export interface TestTlsValkey extends Pick<TestValkey, 'url' | 'close'> {
  /** Certificate in PEM format. */
  certificate: string
}

/** Reason to skip tests that need a Valkey with TLS, or false. With CI set, they fail instead of being skipped. */
export const withoutTlsValkey =
  withoutValkey ||
  (!isInstalled('openssl', 'version') && process.env.CI === undefined && 'openssl is not installed')

export async function startTlsValkey(): Promise<TestTlsValkey> {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'foyer-tls-')), freePort()])
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  signItself({ key, certificate })
  const valkey = await startValkey([
    ...['--tls-port', `${port}`, '--tls-auth-clients', 'no'],
    ...['--tls-key-file', key, '--tls-cert-file', certificate],
  ])
  return {
    url: `rediss://127.0.0.1:${port}`,
    certificate: await readFile(certificate, 'utf8'),
    async close() {
      await valkey.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function signItself({ key, certificate }: { key: string; certificate: string }): void {
  const address = ['-subj', '/CN=Foyer test', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...address, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
}
