import { MAX_PAGE } from '@foyer/protocol/limits'
import type { OperatorSpace, OperatorSpacesQuery } from '@foyer/protocol/operators'
import type { Space } from '@foyer/protocol/spaces'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { spaceColumns } from '#src/spaces/queries.ts'
import { findUsers } from '#src/users/queries.ts'
import { startOf } from '../users/queries.ts'

interface Row extends Space {
  member_count: number
  freeze_reason: string | null
}

/** An id may be that of a space or of an owner, whose spaces are listed. */
export async function findSpacesOf(
  database: Queryable,
  { query = '', frozen = false, after, limit = MAX_PAGE }: OperatorSpacesQuery,
): Promise<OperatorSpace[]> {
  const page = { frozen, after, limit }
  const rows = WRITTEN_UUID.test(query)
    ? await findById(database, query.toLowerCase(), page)
    : await findByName(database, startOf(query.toLowerCase()), page)
  return withOwners(database, rows)
}

/** Returns one space; undefined for a deleted one. */
export async function findSpaceOf(database: Queryable, spaceId: string): Promise<OperatorSpace | undefined> {
  const rows = await database.query<Row>(sql`
    select ${spaceColumns}, member_count, freeze_reason from spaces
    where id = ${spaceId} and deleted_at is null`)
  const [space] = await withOwners(database, rows)
  return space
}

interface Page {
  frozen: boolean
  after: string | undefined
  limit: number
}

/** Through the memberships, which are indexed by user: owners are members. */
function findById(database: Queryable, id: string, { frozen, after, limit }: Page): Promise<Row[]> {
  return database.query<Row>(sql`
    select ${spaceColumns}, member_count, freeze_reason from spaces
    where id in (select ${id}::uuid union all select space_id from members where user_id = ${id})
      and ${id}::uuid in (id, owner_id)
      and deleted_at is null and (not ${frozen}::boolean or frozen_at is not null)
      and (${after}::uuid is null or (lower(name) collate "C", id) >
        (select lower(name) collate "C", id from spaces where id = ${after}::uuid))
    order by lower(name) collate "C", id limit ${limit}`)
}

/** In bytewise order, which the index has and LIKE needs. */
function findByName(database: Queryable, start: string, { frozen, after, limit }: Page): Promise<Row[]> {
  return database.query<Row>(sql`
    select ${spaceColumns}, member_count, freeze_reason from spaces
    where lower(name) collate "C" like ${start}
      and deleted_at is null and (not ${frozen}::boolean or frozen_at is not null)
      and (${after}::uuid is null or (lower(name) collate "C", id) >
        (select lower(name) collate "C", id from spaces where id = ${after}::uuid))
    order by lower(name) collate "C", id limit ${limit}`)
}

async function withOwners(database: Queryable, rows: readonly Row[]): Promise<OperatorSpace[]> {
  const owners = await findUsers(database, [...new Set(rows.map(({ owner_id }) => owner_id))])
  return rows.flatMap(({ member_count, freeze_reason, ...space }) => {
    const owner = owners.find(({ id }) => id === space.owner_id)
    return owner === undefined ? [] : [{ space, owner, member_count, freeze_reason }]
  })
}
