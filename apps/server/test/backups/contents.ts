import pg from 'pg'
import { sumTable } from '#src/operating/backups/table-parts.ts'
import { listTables, openClient } from '#src/operating/backups/tables.ts'

/** Returns the rows and the checksum of each table. */
export async function contentsOf(connection: pg.ClientConfig): Promise<Record<string, string>> {
  const { client, close } = await openClient(connection, 'test')
  try {
    const contents: Record<string, string> = {}
    for (const table of await listTables(client)) {
      const { rows, checksum } = await sumTable(client, table)
      contents[table.name] = `${rows} ${checksum}`
    }
    return contents
  } finally {
    await close()
  }
}

/** Returns the definitions of all indexes and constraints, and of the state of triggers. */
export async function schemaOf(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(
      `select indexdef as line from pg_indexes where schemaname in ('public', 'graphile_worker')
        and tablename !~ '^events_'
      union all
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text from pg_constraint
      where conrelid <> 0 and conrelid::regclass::text !~ '^events_'
      union all
      select tgrelid::regclass || ' ' || tgname || tgenabled::text from pg_trigger where not tgisinternal
      order by 1`,
    )
    return rows.map(({ line }) => line)
  } finally {
    await client.end()
  }
}
