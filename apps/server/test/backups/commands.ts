import type pg from 'pg'
import { type Config, readConfig } from '#src/config.ts'
import { runBackupCommand } from '#src/operating/backups/command.ts'
import { type RestoreResult, runRestoreCommand } from '#src/operating/backups/restore-command.ts'
import { connectionOf, type TestDatabase, urlOf } from '../database.ts'
import type { TestServer } from '../server.ts'

export const PASSPHRASE = 'tea with three lumps'

/** Lines that a command printed: its result, and its progress and warnings. */
export interface Printed {
  lines: string[]
  reports: string[]
}

/** Runs `npm run backup` on a server's data. */
export async function backUp(
  server: TestServer,
  args: readonly string[],
  changes: Partial<Config['backup']> = {},
): Promise<Printed> {
  const { config } = server.deps
  const backup = { ...config.backup, passphrase: PASSPHRASE, ...changes }
  return run({ ...config, backup }, await connectionOf(server), args)
}

/** Runs `npm run backup` on a database. */
export function backUpFrom(
  connection: pg.ClientConfig,
  settings: Record<string, string>,
  args: readonly string[],
): Promise<Printed> {
  return run(readConfig({ BACKUP_PASSPHRASE: PASSPHRASE, ...settings }), connection, args)
}

async function run(config: Config, connection: pg.ClientConfig, args: readonly string[]): Promise<Printed> {
  const connect = async () => ({ connection, close: async () => undefined })
  const reports: string[] = []
  const report = (line: string) => reports.push(line)
  return { lines: await runBackupCommand({ config, connect, report }, args), reports }
}

/** Settings of an installation to restore into. */
export function restoreSettings(dataDir: string, database?: TestDatabase): Record<string, string> {
  const place = database === undefined ? {} : { DATABASE_URL: urlOf(database) }
  return { DATA_DIR: dataDir, BACKUP_PASSPHRASE: PASSPHRASE, ...place }
}

/** Runs `npm run restore`. */
export async function restore(
  settings: Record<string, string>,
  args: readonly string[],
): Promise<Printed & RestoreResult> {
  const reports: string[] = []
  const report = (line: string) => reports.push(line)
  return { ...(await runRestoreCommand(readConfig(settings), args, report)), reports }
}
