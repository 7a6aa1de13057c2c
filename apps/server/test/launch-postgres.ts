// A program for tests to kill: starts the PostgreSQL of the folder in its argument, says where, and waits.
import { launchPostgres } from '#src/postgres/launch.ts'

const [dataDir = ''] = process.argv.slice(2)
const postgres = await launchPostgres({ dataDir, log: () => {} })
process.stdout.write(`${JSON.stringify({ connection: postgres.connection, pid: postgres.pid })}\n`)
process.once('SIGTERM', () => postgres.stop())
