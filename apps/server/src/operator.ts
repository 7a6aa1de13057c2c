// `npm run operator -- <command>`: runs a command with operator rights, on the machine of the server.

import { forgetPostgresVariables, readConfig } from './config.ts'
import { runCommand } from './operating/command-line/run.ts'

try {
  const config = readConfig()
  if (config.databaseUrl === undefined) forgetPostgresVariables()
  const lines = await runCommand(config, process.argv.slice(2))
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
