// A program for tests to kill: starts the PostgreSQL of the folder in its first argument, with the options that the second has
// as JSON, says where, and waits. Lines of the log go to the standard error.
import { launchPostgres } from '#src/postgres/launch.ts'

const [dataDir = '', options = '{}'] = process.argv.slice(2)
const postgres = await launchPostgres({
  dataDir,
  log: (line, level = 'debug') => process.stderr.write(`${level} ${line}\n`),
  ...JSON.parse(options),
})
process.stdout.write(`${JSON.stringify({ connection: postgres.connection, pid: postgres.pid })}\n`)
process.once('SIGTERM', () => postgres.stop())
