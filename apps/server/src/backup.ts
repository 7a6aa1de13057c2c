// `npm run backup`: copies the database and the files, whether the server runs or not.

import { forgetPostgresVariables, readConfig } from './config.ts'
import { runBackupCommand } from './operating/backups/command.ts'
import { openDatabase } from './operating/command-line/connection.ts'

try {
  const args = process.argv.slice(2)
  // The server that started this backup holds the other end of stdin. If the server ends, the backup ends, too.
  if (args.includes('--scheduled')) process.stdin.on('end', () => process.exit(1)).resume()
  const config = readConfig()
  if (config.databaseUrl === undefined) forgetPostgresVariables()
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const lines = await runBackupCommand({ config, connect: () => openDatabase(config), report }, args)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
// An open stdin must not keep the process running.
process.stdin.destroy()
