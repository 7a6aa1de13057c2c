import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import { CertificateFiles } from '#src/kernel/tls/certificate-files.ts'
import { Front, type FrontOptions } from '#src/kernel/tls/front.ts'
import { type AcmeTls, type FileTls, servedTls, type TlsSettings } from '#src/kernel/tls/settings.ts'
import { AcmeCertificate } from './acme-certificate.ts'
import { PendingChallenges } from './pending-challenges.ts'

interface HttpsDeps {
  config: Pick<Config, 'tls' | 'services'>
  database: Database
  sealer: Sealer
  log: Logger
}

/** HTTPS of a running server. */
export interface Https {
  /** Reads the operator's files again, or the certificate in the database. */
  reload(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens HTTPS_PORT and HTTP_PORT for an app that is already listening on PORT.
 * @returns undefined if HTTPS is off, if the process serves no clients, or if the settings only suggest HTTPS and HTTPS_PORT cannot
 * be opened
 * @throws Error with a message for the operator
 */
export async function openHttps(deps: HttpsDeps, app: App): Promise<Https | undefined> {
  const tls = servedTls(deps.config)
  if (tls === undefined) return undefined
  return tls.kind === 'files' ? openWithFiles(deps, app, tls) : openWithAcme(deps, app, tls)
}

async function openWithFiles({ log }: HttpsDeps, app: App, settings: FileTls): Promise<Https> {
  const files = new CertificateFiles({ settings, log })
  const front = await Front.open({ app, settings, log, challenges: undefined })
  await files.start(front)
  return {
    reload: () => files.reload(front),
    async close() {
      files.close()
    },
  }
}

async function openWithAcme(deps: HttpsDeps, app: App, settings: AcmeTls): Promise<Https | undefined> {
  const { database, sealer, log } = deps
  const front = await openOrGoOn({ app, settings, log, challenges: new PendingChallenges(database) })
  if (front === undefined) return undefined
  const certificate = new AcmeCertificate({ database, sealer, log, settings, front })
  await certificate.start()
  return { reload: () => certificate.look(), close: () => certificate.close() }
}

/** Returns undefined if the port cannot be opened and the settings only suggest HTTPS. */
async function openOrGoOn(options: FrontOptions & { settings: AcmeTls }): Promise<Front | undefined> {
  const { settings, log } = options
  try {
    return await Front.open(options)
  } catch (error) {
    if (!settings.isGuess) throw error
    log.warn(withoutHttps(error, settings))
    return undefined
  }
}

/** Returns a log line. The server runs on without HTTPS: a proxy that its settings do not show may provide it. */
function withoutHttps(error: unknown, { origin }: TlsSettings): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `no HTTPS for ${origin}: ${reason}. Foyer listens on PORT alone`
}
