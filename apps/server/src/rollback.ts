// `npm run rollback`: brings the version and the data from before the latest update back.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { forgetPostgresVariables, readConfig } from './config.ts'
import { openDatabase } from './operating/command-line/connection.ts'
import { runRollbackCommand } from './operating/updates/rollback-command.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const WORD = 'rollback'

try {
  const config = readConfig()
  if (config.databaseUrl === undefined) forgetPostgresVariables()
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const connect = () => openDatabase(config)
  const deps = { config, connect, root: ROOT, report, confirm }
  const lines = await runRollbackCommand(deps, process.argv.slice(2))
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

/** Asks only at a terminal, because a pipe could answer without reading the question. */
async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`Type ${WORD} to go on: `)).trim() === WORD
  } finally {
    terminal.close()
  }
}
