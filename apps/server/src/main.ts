import { type Config, readConfig } from './config.ts'
import { createLog } from './kernel/log.ts'
import { launchPostgres } from './postgres/launch.ts'
import { startServer } from './start.ts'

/** Exit by this time after SIGTERM, whatever still hangs. */
const DRAIN_LIMIT_MS = 10_000

const config = readConfig()
const log = createLog(config.logLevel)
await run(config).catch((error: Error) => {
  log.fatal({ err: error }, 'Foyer could not start')
  process.exitCode = 1
})

async function run(config: Config): Promise<void> {
  const postgres = config.databaseUrl === undefined ? await launchEmbedded(config) : undefined
  const connection = postgres?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const server = await startServer({ config, connection, log }).catch(async (error) => {
    await postgres?.stop()
    throw error
  })
  log.info(`Foyer is ready at ${config.publicUrl ?? server.url}`)
  const signal = await nextSignal()
  log.info({ signal }, 'draining')
  setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref()
  await server.close()
  await postgres?.stop()
  log.info('stopped')
}

function launchEmbedded({ dataDir }: Config) {
  return launchPostgres({ dataDir, log: (message) => log.debug({ postgres: true }, message) })
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
