import type { DatabaseSnapshot } from '#src/kernel/database/snapshot-reads.ts'
import { type Fragment, fragment, sql } from '#src/kernel/sql/sql.ts'
import type { Pages } from '../json.ts'

/** Rows per query. */
const PAGE = 1000

/** A file of the export with rows of one table that belong to the person. */
export interface Section {
  /** Name of the file, without `.json`. */
  name: string
  title: string
  /** @param database a snapshot, which supports cursors */
  pages(database: DatabaseSnapshot, userId: string): Pages<object>
}

interface Listed {
  source: Fragment
  columns: Fragment
  /** The column with the person's id. */
  owner: Fragment
  /** A column that is unique among the person's rows. The rows are read in its order. */
  key: Fragment
  type?: Fragment
}

type KeyedRow = Record<string, unknown> & { export_key: string }

const uuid = fragment`uuid`
export const text = fragment`text`

/** Returns a reader of the rows that pages by the key, so that only one page is in memory and no cursor stays open. */
export function listed({ source, columns, owner, key, type = uuid }: Listed): Section['pages'] {
  return async function* (database, userId) {
    let after: string | null = null
    do {
      const rows: KeyedRow[] = await database.query<KeyedRow>(sql`
        select ${columns}, (${key})::text as export_key from ${source}
        where ${owner} = ${userId} and (${after}::text is null or ${key} > ${after}::text::${type})
        order by ${key} limit ${PAGE}`)
      after = rows.length < PAGE ? null : (rows.at(-1)?.export_key ?? null)
      yield rows.map(({ export_key: _key, ...row }) => row)
    } while (after !== null)
  }
}

interface InSpace {
  /** A table whose indexes all begin with the space, so that none finds rows by the person alone. */
  table: Fragment
  columns: Fragment
  /** The column with the person's id. */
  owner: Fragment
}

/** Reads space by space, so that PostgreSQL can use an index that begins with the space. */
export function listedBySpace({ table, columns, owner }: InSpace): Section['pages'] {
  return async function* (database, userId) {
    const spaces = await database.query<{ space_id: string }>(sql`
      with recursive spaces as (
        select (select space_id from ${table} order by space_id limit 1) as space_id
        union all
        select (select space_id from ${table} where ${table}.space_id > spaces.space_id order by space_id limit 1)
        from spaces where spaces.space_id is not null)
      select space_id from spaces where exists(
        select from ${table} where ${table}.space_id = spaces.space_id and ${owner} = ${userId})`)
    for (const { space_id } of spaces) {
      let after: string | null = null
      do {
        const rows: (Record<string, unknown> & { id: string })[] = await database.query(sql`
          select ${columns} from ${table}
          where space_id = ${space_id} and ${owner} = ${userId} and (${after}::uuid is null or id > ${after}::uuid)
          order by id limit ${PAGE}`)
        after = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null)
        yield rows
      } while (after !== null)
    }
  }
}

/** Reads with a cursor: there may be millions of reactions, and the index by person has no order to page by. */
export async function* reactionPages(database: DatabaseSnapshot, userId: string): AsyncGenerator<object[]> {
  await database.query(sql`
    declare own_reactions cursor for
    select tenant_id, channel_id, message_id, emoji, created_at from reactions where user_id = ${userId}`)
  for (;;) {
    const rows = await database.query<Record<string, unknown>>(sql`fetch 1000 from own_reactions`)
    if (rows.length === 0) break
    yield rows
  }
  await database.query(sql`close own_reactions`)
}

export const byUser = fragment`user_id`
export const id = fragment`id`
