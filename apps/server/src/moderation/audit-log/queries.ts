import type { AuditLogEntry, AuditLogFilter } from '@foyer/protocol/audit-log'
import { GREATEST_ID, LEAST_ID } from '@foyer/protocol/ids'
import type { Database } from '#src/kernel/database/database.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { Fragment, fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

/** Statement name that prevents preparing. A generic plan would look for a rare action in all entries of an actor. */
const UNPREPARED = ''

/** The id of an entry contains its time. */
type EntryRow = Omit<AuditLogEntry, 'created_at'>

const columns = fragment`
  space_id, id, action, actor_id, target_type, target_id, target_name, room_id, before, after, reason, undoes,
  (select id from audit_log as undo where undo.space_id = entry.space_id and undo.undoes = entry.id) as undone_by`

export interface Range {
  /** The id of the last entry already read. Older entries are listed. */
  before?: string | undefined
  limit: number
}

/** Lists entries that pass the filter, newest first. */
export async function listEntries(
  database: Queryable,
  spaceId: string,
  filter: AuditLogFilter,
  { before = GREATEST_ID, limit }: Range,
): Promise<AuditLogEntry[]> {
  const { actor_id = null, action = null, target_id = null } = filter
  const from = filter.after === undefined ? LEAST_ID : firstIdAt(Date.parse(filter.after))
  const to = filter.before === undefined ? GREATEST_ID : firstIdAt(Date.parse(filter.before))
  const query = sql`
    select ${columns}
    from audit_log as entry,
      (select ${actor_id}::uuid, ${action}::text, ${target_id}::uuid) as wanted (of_actor_id, of_action, of_target_id)
    where space_id = ${spaceId} and id >= ${from} and id < least(${to}::uuid, ${before}::uuid) ${conditions(filter)}
    order by id desc limit ${limit}`
  const rows = await database.query<EntryRow>({ ...query, name: UNPREPARED })
  return rows.map(withTime)
}

/**
 * Returns conditions for the given filters. Each combination of filters is a separate statement, which uses its own
 * index.
 */
function conditions(filter: AuditLogFilter): Fragment {
  const names = (['actor_id', 'action', 'target_id'] as const).filter((name) => filter[name] !== undefined)
  return new Fragment(names.map((name) => `and ${name} = of_${name}`).join(' '))
}

export async function findEntry(
  database: Queryable,
  spaceId: string,
  id: string,
): Promise<AuditLogEntry | undefined> {
  const [row] = await database.query<EntryRow>(sql`
    select ${columns} from audit_log as entry where space_id = ${spaceId} and id = ${id}`)
  return row && withTime(row)
}

/** Returns the entry that undid this one. */
export async function findUndo(
  database: Queryable,
  { space_id, id }: Pick<AuditLogEntry, 'space_id' | 'id'>,
): Promise<AuditLogEntry | undefined> {
  const [row] = await database.query<EntryRow>(sql`
    select ${columns} from audit_log as entry where space_id = ${space_id} and undoes = ${id}`)
  return row && withTime(row)
}

function withTime(row: EntryRow): AuditLogEntry {
  return { ...row, created_at: new Date(idTime(row.id)).toISOString() }
}

/** Deletes entries past their space's retention, except in spaces with a legal hold. */
export async function sweepAuditLog(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from audit_log where ctid = any(array(
        select old.ctid
        from spaces, lateral (
          select ctid from audit_log
          where space_id = spaces.id and id < (
            -- The first id of the time: its milliseconds are the first 48 bits.
            lpad(to_hex((extract(epoch from now() - make_interval(days => audit_log_days)) * 1000)::bigint), 12, '0')
            || '00000000000000000000')::uuid
          limit ${limit}
          for update skip locked) as old
        where audit_log_days is not null and held_at is null
        limit ${limit}))
      returning id`),
  )
}
