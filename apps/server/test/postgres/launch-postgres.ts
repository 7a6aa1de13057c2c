// Program for tests to kill. Starts PostgreSQL in the folder of the first argument, with the options of the second
// (JSON). Prints its connection and waits. Logs to stderr.
import { launchPostgres } from '#src/postgres/launch.ts'

const [dataDir = '', options = '{}'] = process.argv.slice(2)
const postgres = await launchPostgres({
  dataDir,
  log: (line, level = 'debug') => process.stderr.write(`${level} ${line}\n`),
  ...JSON.parse(options),
})
// The handler is set before printing: the first process of a container never receives a signal that has no handler yet.
process.once('SIGTERM', () => postgres.stop())
process.stdout.write(`${JSON.stringify({ connection: postgres.connection, pid: postgres.pid })}\n`)
