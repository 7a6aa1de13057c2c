import type { Config } from '#src/config.ts'
import { createLog } from '#src/kernel/log.ts'
import type { AcmeTls } from '#src/kernel/tls/settings.ts'
import { type CertificateRow, findCertificate } from '#src/operating/certificates/queries.ts'
import type { StartOptions } from '#src/start.ts'
import { startOwnServer, type TestServer } from '../server.ts'
import { until } from '../until.ts'
import type { Pebble } from './pebble.ts'
import type { SecurePlace } from './secure-client.ts'

export const ACME_HOST = 'chat.example.org'

/** Returns settings of a server that pebble and clients on this machine can reach. */
export function acmeTlsAt(
  pebble: Pick<Pebble, 'directory' | 'httpPort' | 'httpsPort'>,
  changes: Partial<AcmeTls> = {},
): AcmeTls {
  const { directory, httpPort, httpsPort } = pebble
  return {
    kind: 'acme',
    ...{ host: ACME_HOST, origin: `https://${ACME_HOST}`, httpsPort, httpPort, listenHost: '127.0.0.1' },
    ...{ directory, email: 'admin@example.org', isGuess: false },
    ...changes,
  }
}

export interface AcmeServer extends TestServer {
  place: SecurePlace
  lines: string[]
  row(): Promise<CertificateRow | undefined>
  /** Waits until the log contains the text. */
  logged(text: string | RegExp): Promise<void>
}

export async function startAcmeServer(
  tls: AcmeTls,
  ca: string,
  changes: Partial<Config> = {},
): Promise<AcmeServer> {
  const { lines, log } = keptLog()
  const server = await startOwnServer({ publicUrl: tls.origin, tls, ...changes }, { log })
  return withAcme(server, { tls, ca, lines })
}

/** Adds the helpers for tests of certificates. */
export function withAcme(
  server: TestServer,
  { tls, ca, lines }: { tls: AcmeTls; ca: string; lines: string[] },
): AcmeServer {
  return {
    ...server,
    lines,
    place: { port: tls.httpsPort, host: tls.host, ca },
    row: () => findCertificate(server.deps.database, tls.host),
    async logged(text) {
      await until(async () => lines.some((line) => line.search(text) >= 0), `the log has ${text}`).catch(
        (error) => {
          throw new Error(`${error}: ${lines.join('')}`)
        },
      )
    },
  }
}

export function keptLog(): { lines: string[]; log: StartOptions['log'] } {
  const lines: string[] = []
  return { lines, log: createLog('info', { write: (line) => lines.push(line) }) }
}
