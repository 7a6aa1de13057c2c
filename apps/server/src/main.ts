import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Config, forgetPostgresVariables, readConfig } from './config.ts'
import { createLog } from './kernel/log.ts'
import { readFiles } from './kernel/tls/certificate-files.ts'
import { lineOf, stillMissing } from './operating/operations/still-missing.ts'
import { claimTextOf } from './operating/operators/claim-link.ts'
import { findCommit } from './operating/updates/checkout.ts'
import { type EmbeddedPostgres, launchPostgres } from './postgres/launch.ts'
import { startServer } from './start.ts'

/** Root folder of the installation, which may be a git checkout. */
const ROOT = resolve(import.meta.dirname, '../../..')
/** Time after SIGTERM at which the process exits in any case. */
const DRAIN_LIMIT_MS = 10_000
/** Number of signals that end the server immediately, if IMPATIENT_MS lie between the first and the last: see `nextSignal`. */
const IMPATIENT_SIGNALS = 3
const IMPATIENT_MS = 3000
/** Used in place of a signal name. */
const DATABASE_LOST = 'database lost'

try {
  const config = readConfig(undefined, process.argv.slice(2))
  await run(config, await openLog(config))
} catch (error) {
  process.stderr.write(`Foyer could not start: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

/** Logs lines at a terminal, JSON elsewhere. */
async function openLog({ logLevel }: Config): Promise<Logger> {
  if (!process.stdout.isTTY) return createLog(logLevel)
  const { default: pretty } = await import('pino-pretty')
  return createLog(logLevel, pretty({ sync: true }))
}

async function run(config: Config, log: Logger): Promise<void> {
  // Not awaited: the commit is read while the database starts.
  const commit = findCommit(ROOT)
  // Before anything else starts, so that a wrong path is reported immediately.
  if (config.tls?.kind === 'files') await readFiles(config.tls)
  const postgres = config.databaseUrl === undefined ? await launchEmbedded(config, log) : undefined
  const connection = postgres?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const server = await startServer({
    ...{ config, connection, log, commit },
    databaseTrouble: () => postgres?.trouble,
  }).catch(async (error) => {
    await postgres?.stop()
    throw error
  })
  // Waits for signals before readiness is reported, because a supervisor may stop the server right after the report.
  const asked = nextSignal()
  log.info(`Foyer is ready at ${config.publicUrl ?? server.url}`)
  if (server.claimLink !== undefined) showClaimLink(log, server.claimLink)
  if (config.services.includes('api')) for (const missing of stillMissing(config)) log.info(lineOf(missing))
  // At a terminal, SIGHUP means that the terminal closed, and ends the server.
  if (config.tls !== undefined && !process.stdout.isTTY)
    process.on('SIGHUP', () => void server.reloadCertificate())
  const signal = await Promise.race([asked, ...(postgres === undefined ? [] : [endOf(postgres)])])
  if (signal === DATABASE_LOST) {
    log.error('PostgreSQL can no longer be started: Foyer is stopping')
    process.exitCode = 1
  }
  log.info({ signal }, 'draining')
  setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref()
  await server.close()
  await postgres?.stop()
  log.info('stopped')
}

/** Shown at any log level: without the link, no one can administer the server. */
function showClaimLink(log: Logger, link: string): void {
  const text = claimTextOf(link)
  if (log.isLevelEnabled('warn')) log.warn(text)
  else process.stdout.write(`${text}\n`)
}

function launchEmbedded({ dataDir }: Config, log: Logger) {
  forgetPostgresVariables()
  return launchPostgres({
    dataDir,
    log: (message, level = 'debug') => log[level]({ postgres: true }, message),
  })
}

/** Resolves when the database exits. The server then ends: service managers do not notice a server that only answers 503. */
function endOf({ exited }: EmbeddedPostgres): Promise<typeof DATABASE_LOST> {
  return exited.then(() => DATABASE_LOST)
}

/**
 * Resolves with the first signal. npm and service managers forward signals that the whole process group has already
 * received, so repeats are ignored. Only a third one, after a while, comes from a person and ends the server
 * immediately.
 */
function nextSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let count = 0
  let firstAt = 0
  const handle = (signal: NodeJS.Signals) => {
    count += 1
    if (count === 1) firstAt = performance.now()
    resolve(signal)
    if (count >= IMPATIENT_SIGNALS && performance.now() - firstAt >= IMPATIENT_MS) process.exit(1)
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
  return promise
}
