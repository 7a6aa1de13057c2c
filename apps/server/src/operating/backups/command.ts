import { parseArgs } from 'node:util'
import type pg from 'pg'
import type { Config } from '#src/config.ts'
import { BackupError } from './backup-error.ts'
import { factsLine } from './facts.ts'
import { listSnapshots, type Manifest, readManifest, snapshotTime } from './manifest.ts'
import { openVault } from './open-vault.ts'
import type { Vault } from './table-parts.ts'
import { takeBackup } from './taking.ts'
import { verifyBackup } from './verification.ts'

const OPTIONS = {
  to: { type: 'string' },
  keep: { type: 'string' },
  list: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  snapshot: { type: 'string' },
  'with-space-buckets': { type: 'boolean', default: false },
  /** Passed by the server when it makes a backup itself. */
  scheduled: { type: 'boolean', default: false },
} as const

/** Dependencies that the process of a command provides. */
export interface CommandDeps {
  config: Config
  /** Connects to the database of the installation, whether its server runs or not. */
  connect: () => Promise<{ connection: pg.ClientConfig; close(): Promise<void> }>
  /** Shows progress and warnings, which are not part of the result. */
  report: (line: string) => void
}

/**
 * Runs `npm run backup`.
 * @returns the lines of the result
 * @throws Error with a message for the operator
 */
export async function runBackupCommand(deps: CommandDeps, args: readonly string[]): Promise<string[]> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const { config } = deps
  const keep = keepOf(values.keep, config)
  const vault = await openVault(config, values.to, !values.list && !values.verify)
  try {
    if (values.list) return await describeAll(vault)
    if (values.verify) return await verify(deps, vault, values.snapshot)
    const choices = { keep, withSpaceBuckets: values['with-space-buckets'], isScheduled: values.scheduled }
    return await backUp(deps, vault, choices)
  } finally {
    await vault.repository.close()
  }
}

async function backUp(
  { config, connect, report }: CommandDeps,
  vault: Vault,
  choices: { keep: number; withSpaceBuckets: boolean; isScheduled: boolean },
): Promise<string[]> {
  const { connection, close } = await connect()
  try {
    const taken = await takeBackup({ config, connection, vault, report, ...choices })
    const { name, manifest, copiedBytes, removed } = taken
    return [
      `${name} in ${vault.repository.location}: ${describe(manifest)}`,
      `copied ${megabytes(copiedBytes)} of files; the others were there from earlier backups`,
      ...removed.map((old) => `deleted ${old}`),
      ...manifest.missing.map((key) => `missing: ${key}`),
      ...(choices.isScheduled ? [factsLine(taken)] : []),
    ]
  } finally {
    await close()
  }
}

async function verify({ config, report }: CommandDeps, vault: Vault, wanted?: string): Promise<string[]> {
  const { name, manifest } = await findSnapshot(vault, wanted)
  await verifyBackup({ vault, manifest, dataDir: config.dataDir, report })
  return [`${name} can be restored: ${describe(manifest)}`]
}

async function describeAll(vault: Vault): Promise<string[]> {
  const lines: string[] = []
  for (const name of await listSnapshots(vault.repository))
    lines.push(`${name}  ${describe(await readManifest(vault.repository, vault.key, name))}`)
  return lines
}

/**
 * Reads the manifest of a snapshot, by default of the newest.
 * @throws BackupError if there is none
 */
export async function findSnapshot(
  { repository, key }: Vault,
  wanted: string | undefined,
): Promise<{ name: string; manifest: Manifest }> {
  const name = wanted ?? (await listSnapshots(repository)).at(-1)
  if (name === undefined || snapshotTime(name) === undefined)
    throw new BackupError(`there is no backup ${wanted ?? ''} in ${repository.location}`.replace('  ', ' '))
  return { name, manifest: await readManifest(repository, key, name) }
}

/** Describes a backup in a line. */
export function describe({ tables, files, missing, server_version }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const lost = missing.length === 0 ? '' : `, ${missing.length} files missing`
  return `${rows} rows, ${files.length} files of ${megabytes(bytes)}${lost}, version ${server_version}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function keepOf(given: string | undefined, { backup }: Config): number {
  if (given === undefined) return backup.keep
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given)
  throw new BackupError('--keep is the number of backups to keep, from 1 to 9999')
}
