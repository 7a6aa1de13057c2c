import pg from 'pg'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { KEPT } from '#src/kernel/database/snapshot-names.ts'
import type { Version } from '#src/kernel/database/versions.ts'
import type { Beside } from './server-databases.ts'

/** State of a kept database, stored as its comment, which survives renaming. */
const KeptRecord = Type.Object({
  foyer: Type.Literal('kept'),
  version: Type.Union([Type.String(), Type.Null()]),
  commit: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601. The kept database needs the files from before this time. */
  made_at: Type.String({ pattern: '^[-0-9T:.]+Z$' }),
})

export type KeptKind = keyof typeof KEPT

export interface Kept {
  kind: KeptKind
  database: string
  /** Undefined for a version that did not record itself. */
  version: Version | undefined
  madeAt: Date
  sizeBytes: number
}

const KINDS: readonly KeptKind[] = ['before', 'after']

/**
 * Lists the databases kept beside this one, newest first. Databases with such a name, but without our comment, are left out.
 * @param ending added to the names: OUTDATED for a database that was replaced
 */
export async function listKept(client: pg.ClientBase, name: string, ending = ''): Promise<Kept[]> {
  const { rows } = await client.query<{ name: string; comment: string | null; bytes: string }>(
    `select datname as name, shobj_description(oid, 'pg_database') as comment, pg_database_size(oid)::text as bytes
    from pg_database where datname::text = any($1::text[])`,
    [KINDS.map((kind) => name + KEPT[kind] + ending)],
  )
  const found = KINDS.flatMap((kind) => {
    const row = rows.find((row) => row.name === name + KEPT[kind] + ending)
    const record = recordIn(row?.comment ?? '')
    return row === undefined || record === undefined
      ? []
      : [{ kind, database: row.name, sizeBytes: Number(row.bytes), ...record }]
  })
  return found.sort((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
}

function recordIn(comment: string): Pick<Kept, 'version' | 'madeAt'> | undefined {
  const record = parse(comment)
  if (!Check(KeptRecord, record)) return undefined
  const { version, commit, made_at } = record
  const madeAt = new Date(made_at)
  if (Number.isNaN(madeAt.getTime())) return undefined
  return { version: version === null ? undefined : { version, commit }, madeAt }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Records the version and time of a kept database in its comment. */
export async function writeRecord(
  { admin }: Beside,
  database: string,
  version: Version | undefined,
): Promise<void> {
  // Uses the clock of the database, as the times of files do. Rounded up to milliseconds, so that no row is later.
  const { rows } = await admin.query<{ now: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as now`,
  )
  const record = {
    foyer: 'kept',
    version: version?.version ?? null,
    commit: version?.commit ?? null,
    made_at: (rows[0]?.now ?? new Date()).toISOString(),
  }
  await admin.query(
    `comment on database ${pg.escapeIdentifier(database)} is ${pg.escapeLiteral(JSON.stringify(record))}`,
  )
}

/** Removes the comment from a database that becomes the server's own database. */
export async function removeRecord({ admin }: Beside, database: string): Promise<void> {
  await admin.query(`comment on database ${pg.escapeIdentifier(database)} is null`)
}

/** Describes the version, for use within a sentence. */
export function describeVersion(version: Version | undefined): string {
  if (version === undefined) return 'the version that ran before'
  const commit = version.commit === null ? '' : ` (commit ${version.commit.slice(0, 12)})`
  return `version ${version.version}${commit}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Returns a size like `12.3 MB`. */
export function describeSize(bytes: number): string {
  const exponent = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const amount = bytes / 1000 ** exponent
  return `${amount.toFixed(exponent > 1 ? 1 : 0)} ${UNITS[exponent]}`
}

/** Returns when a kept database is dropped. */
export function endOf({ madeAt }: Kept, days: number): Date {
  return new Date(madeAt.getTime() + days * 86_400_000)
}
