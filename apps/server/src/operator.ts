// `npm run operator -- <command>`: the rights of operators from the machine of the server.
import { runCommand } from './command-line/run.ts'
import { forgetPostgresVariables, readConfig } from './config.ts'

try {
  const config = readConfig()
  if (config.databaseUrl === undefined) forgetPostgresVariables()
  const lines = await runCommand(config, process.argv.slice(2))
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
