import { MAX_PAGE } from '@foyer/protocol/limits'
import type { OperatorSpace, OperatorSpacesQuery } from '@foyer/protocol/operators'
import type { Space } from '@foyer/protocol/spaces'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { type Fragment, fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { spaceColumns } from '#src/spaces/queries.ts'
import { startOf } from '../users/queries.ts'

type Row = Omit<OperatorSpace, 'space' | 'owner'> & Space

const ownColumns = fragment`member_count, freeze_reason, held_at, hold_reason, deleted_at, restorable_until`

/** Conditions for lists of spaces. Each includes the condition of a partial index on names. */
const kinds = {
  present: fragment`deleted_at is null`,
  deleted: fragment`deleted_at is not null and restorable_until is not null and purge_begun_at is null`,
  held: fragment`held_at is not null and purge_begun_at is null`,
}

/** Finds spaces by the start of their name, or by the id of a space or an owner. */
export async function findSpacesOf(
  database: Queryable,
  { query = '', frozen = false, held = false, deleted = false, after, limit = MAX_PAGE }: OperatorSpacesQuery,
): Promise<OperatorSpace[]> {
  const among = held ? kinds.held : kinds.present
  const page = { kind: deleted ? kinds.deleted : among, frozen, held, after, limit }
  const rows = WRITTEN_UUID.test(query)
    ? await findById(database, query.toLowerCase(), page)
    : await findByName(database, startOf(query.toLowerCase()), page)
  return withOwners(database, rows)
}

/** Returns one space. It may be deleted, but not being purged. */
export async function findSpaceOf(database: Queryable, spaceId: string): Promise<OperatorSpace | undefined> {
  const rows = await database.query<Row>(sql`
    select ${spaceColumns}, ${ownColumns} from spaces where id = ${spaceId} and purge_begun_at is null`)
  const [space] = await withOwners(database, rows)
  return space
}

interface Page {
  kind: Fragment
  frozen: boolean
  held: boolean
  after: string | undefined
  limit: number
}

/** Finds a space by its id, or spaces by the id of their owner. Owners are members, and memberships are indexed by user. */
function findById(database: Queryable, id: string, page: Page): Promise<Row[]> {
  const { kind, frozen, held, after, limit } = page
  return database.query<Row>(sql`
    select ${spaceColumns}, ${ownColumns} from spaces
    where id in (select ${id}::uuid union all select space_id from members where user_id = ${id})
      and ${id}::uuid in (id, owner_id)
      and ${kind} and (not ${frozen}::boolean or frozen_at is not null)
      and (not ${held}::boolean or held_at is not null)
      and (${after}::uuid is null or (lower(name) collate "C", id) >
        (select lower(name) collate "C", id from spaces where id = ${after}::uuid))
    order by lower(name) collate "C", id limit ${limit}`)
}

/** Finds spaces by the start of their name, in bytewise order, which the index has and LIKE needs. */
function findByName(database: Queryable, start: string, page: Page): Promise<Row[]> {
  const { kind, frozen, held, after, limit } = page
  return database.query<Row>(sql`
    select ${spaceColumns}, ${ownColumns} from spaces
    where lower(name) collate "C" like ${start}
      and ${kind} and (not ${frozen}::boolean or frozen_at is not null)
      and (not ${held}::boolean or held_at is not null)
      and (${after}::uuid is null or (lower(name) collate "C", id) >
        (select lower(name) collate "C", id from spaces where id = ${after}::uuid))
    order by lower(name) collate "C", id limit ${limit}`)
}

async function withOwners(database: Queryable, rows: readonly Row[]): Promise<OperatorSpace[]> {
  const owners = await findUsers(database, [...new Set(rows.map(({ owner_id }) => owner_id))])
  return rows.flatMap((row) => {
    const { member_count, freeze_reason, held_at, hold_reason, deleted_at, restorable_until, ...space } = row
    const owner = owners.find(({ id }) => id === space.owner_id)
    if (owner === undefined) return []
    return [{ space, owner, member_count, freeze_reason, held_at, hold_reason, deleted_at, restorable_until }]
  })
}
