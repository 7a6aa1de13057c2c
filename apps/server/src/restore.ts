// `npm run restore`: puts a backup into an empty DATA_DIR, and an empty database if DATABASE_URL is set.

import { forgetPostgresVariables, readConfig } from './config.ts'
import { runRestoreCommand } from './operating/backups/restore-command.ts'

/** Exit code of a restore that is complete except for files that are damaged in the backup. */
const WITHOUT_SOME_FILES = 2

try {
  const config = readConfig()
  if (config.databaseUrl === undefined) forgetPostgresVariables()
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const { lines, isWhole } = await runRestoreCommand(config, process.argv.slice(2), report)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (!isWhole) process.exitCode = WITHOUT_SOME_FILES
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
