import type { Logger } from 'pino'
import { type Config, forgetPostgresVariables, readConfig } from './config.ts'
import { createLog } from './kernel/log.ts'
import { type EmbeddedPostgres, launchPostgres } from './postgres/launch.ts'
import { startServer } from './start.ts'

/** Exit by this time after SIGTERM, whatever still hangs. */
const DRAIN_LIMIT_MS = 10_000
/** So many signals, the last of them so late, are of a person who does not want to wait. */
const IMPATIENT_SIGNALS = 3
const IMPATIENT_MS = 3000
/** In the place of a signal. */
const DATABASE_LOST = 'database lost'

try {
  const config = readConfig(undefined, process.argv.slice(2))
  await run(config, await openLog(config))
} catch (error) {
  process.stderr.write(`Foyer could not start: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

/** Lines for a person at a terminal, JSON for everything else. */
async function openLog({ logLevel }: Config): Promise<Logger> {
  if (!process.stdout.isTTY) return createLog(logLevel)
  const { default: pretty } = await import('pino-pretty')
  return createLog(logLevel, pretty({ sync: true }))
}

async function run(config: Config, log: Logger): Promise<void> {
  const postgres = config.databaseUrl === undefined ? await launchEmbedded(config, log) : undefined
  const connection = postgres?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const server = await startServer({
    ...{ config, connection, log },
    databaseTrouble: () => postgres?.trouble,
  }).catch(async (error) => {
    await postgres?.stop()
    throw error
  })
  // Before anybody is told: who hears that it is ready may ask it to end at once.
  const asked = nextSignal()
  log.info(`Foyer is ready at ${config.publicUrl ?? server.url}`)
  const signal = await Promise.race([asked, ...(postgres === undefined ? [] : [endOf(postgres)])])
  if (signal === DATABASE_LOST) {
    log.error('PostgreSQL cannot be started any more: Foyer ends')
    process.exitCode = 1
  }
  log.info({ signal }, 'draining')
  setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref()
  await server.close()
  await postgres?.stop()
  log.info('stopped')
}

function launchEmbedded({ dataDir }: Config, log: Logger) {
  forgetPostgresVariables()
  return launchPostgres({
    dataDir,
    log: (message, level = 'debug') => log[level]({ postgres: true }, message),
  })
}

/** A service manager tells people of a server that fails, and of none that only answers 503. */
function endOf({ exited }: EmbeddedPostgres): Promise<typeof DATABASE_LOST> {
  return exited.then(() => DATABASE_LOST)
}

/**
 * Resolves with the first signal that asks for the end. npm and service managers pass a signal on that the whole process group
 * has already: repeats are ignored, and only a person who asks a third time, later, ends the server at once.
 */
function nextSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let count = 0
  let firstAt = 0
  const hear = (signal: NodeJS.Signals) => {
    count += 1
    if (count === 1) firstAt = performance.now()
    resolve(signal)
    if (count >= IMPATIENT_SIGNALS && performance.now() - firstAt >= IMPATIENT_MS) process.exit(1)
  }
  process.on('SIGTERM', hear)
  process.on('SIGINT', hear)
  return promise
}
