import { Fragment, sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** Returns the tables in which any column of a row contains one of the texts. */
export async function listTablesWith(server: RunningServer, texts: readonly string[]): Promise<string[]> {
  const { database } = server.deps
  const tables = await database.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.execute(sql`
        select from ${new Fragment(name)} as scanned
        where exists (select from unnest(${texts}::text[]) as text where position(text in scanned::text) > 0) limit 1`)
      return rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}
