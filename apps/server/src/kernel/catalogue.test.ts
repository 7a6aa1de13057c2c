import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'
import { tableSpread } from './database/table-spread.ts'

interface Table {
  name: string
  columns: string[]
  primaryKey: string[]
}

interface ForeignKey {
  name: string
  table: string
  columns: string[]
  target: string
  targetColumns: string[]
}

let database: TestDatabase
let client: pg.Client
let tables: ReadonlyMap<string, Table>

before(async () => {
  database = await cloneDatabase()
  client = new pg.Client(database.connection)
  await client.connect()
  tables = await listTables()
})
after(async () => {
  await client.end()
  await database.drop()
})

test('DATA-1: the list has the distribution of each table, and nothing else', () => {
  assert.deepEqual(Object.keys(tableSpread).toSorted(), [...tables.keys()].toSorted())
})

test('DATA-1: a table that names a space or a conversation is distributed by it', () => {
  for (const { name, columns } of tables.values()) {
    const named = ['space_id', 'tenant_id', 'conversation_id'].filter((column) => columns.includes(column))
    // Events of users also name the topic, and a report outlives the place of its message.
    const isElsewhere = ['read_states', 'direct_conversations', 'voice_states', 'reports'].includes(name)
    if (named.length > 0 && !isElsewhere) assert.equal(tenantOf(name), named[0], name)
  }
})

test('DATA-1: every table has a primary key that begins with its distribution column', () => {
  for (const { name, primaryKey } of tables.values()) {
    assert.notEqual(primaryKey.length, 0, name)
    const key = keyOf(name)
    if (key !== undefined) assert.equal(primaryKey[0], key, name)
  }
})

test('DATA-1: every unique index begins with the distribution column', async () => {
  const indexes = await listUniqueIndexes()
  assert.ok(indexes.some(({ name }) => name === 'messages_seq'))
  const wide = indexes.filter(({ table, columns }) => {
    const key = keyOf(table)
    return key !== undefined && columns[0] !== key
  })
  assert.deepEqual(wide, [])
})

test('DATA-2: no foreign key leaves its tenant: both ends begin with it', async () => {
  const keys = await listForeignKeys()
  assert.ok(keys.some(({ table, target }) => table === 'member_roles' && target === 'roles'))
  assert.deepEqual(keys.filter(leavesTenant), [])
})

/** The column by which the table is spread; undefined for those that are not. */
function keyOf(table: string): string | undefined {
  const spread = tableSpread[table]
  return spread !== undefined && 'column' in spread ? spread.column : undefined
}

function tenantOf(table: string): string | undefined {
  return tableSpread[table]?.by === 'tenant' ? keyOf(table) : undefined
}

/** Unless neither end is spread. What is spread by users may not name what is spread by tenants. */
function leavesTenant({ table, columns, target, targetColumns }: ForeignKey): boolean {
  const [from, to] = [keyOf(table), keyOf(target)]
  if (from === undefined && to === undefined) return false
  return columns[0] !== from || targetColumns[0] !== to || tableSpread[table]?.by !== tableSpread[target]?.by
}

/** Partitions are left out: they have the keys of the table that they are parts of. */
async function listTables(): Promise<ReadonlyMap<string, Table>> {
  const { rows } = await client.query<Table>(`
    select relname as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      array(select attname::text from pg_index, unnest(indkey) with ordinality as key (attnum, place)
        join pg_attribute using (attnum)
        where indrelid = pg_class.oid and indisprimary and attrelid = pg_class.oid
        order by place) as "primaryKey"
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  return new Map(rows.map((table) => [table.name, table]))
}

interface Index {
  name: string
  table: string
  columns: string[]
}

async function listUniqueIndexes(): Promise<Index[]> {
  const { rows } = await client.query<Index>(`
    select indexrelid::regclass::text as name, indrelid::regclass::text as "table",
      ${columnNames('indrelid', 'indkey')} as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    where indisunique and relnamespace = 'public'::regnamespace and not relispartition`)
  return rows
}

async function listForeignKeys(): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select conname as name, conrelid::regclass::text as "table", confrelid::regclass::text as target,
      ${columnNames('conrelid', 'conkey')} as columns, ${columnNames('confrelid', 'confkey')} as "targetColumns"
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  return rows
}

function columnNames(table: string, key: string): string {
  return `array(select attname::text from unnest(${key}) with ordinality as part (attnum, place)
    join pg_attribute using (attnum) where attrelid = ${table} order by place)`
}
