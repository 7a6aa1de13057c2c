import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'

/** Tables whose tenant is named otherwise, or is neither a space nor a conversation though they name one. */
const OWN_TENANTS: Readonly<Record<string, string>> = {
  // What a user has read, wherever it stands: asked for by the user, of all spaces at once.
  read_states: 'user_id',
  conversation_members: 'conversation_id',
  // Of the accounts of two: asked for by both.
  direct_conversations: 'user_id',
}

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

test('DATA-1: every table of a space or a conversation has its id first in the primary key', () => {
  const found = [...tables.values()].filter((table) => tenantOf(table) !== undefined)
  for (const name of ['rooms', 'roles', 'members', 'invites', 'messages', 'conversations', 'events'])
    assert.ok(
      found.some((table) => table.name === name),
      name,
    )
  for (const table of found) assert.equal(table.primaryKey[0], tenantOf(table), table.name)
})

test('DATA-1: nothing is unique over the tenants of a table', async () => {
  const indexes = await listUniqueIndexes()
  assert.ok(indexes.some(({ name }) => name === 'messages_seq'))
  const wide = indexes.filter(({ table, columns }) => {
    const tenant = tenantColumn(table)
    return tenant !== undefined && !columns.includes(tenant)
  })
  assert.deepEqual(wide, [])
})

test('DATA-1: every table has a primary key', () => {
  for (const table of tables.values()) assert.notEqual(table.primaryKey.length, 0, table.name)
})

test('DATA-2: no foreign key leaves its tenant', async () => {
  const keys = await listForeignKeys()
  assert.ok(keys.some(({ table, target }) => table === 'member_roles' && target === 'roles'))
  assert.deepEqual(keys.filter(leavesTenant), [])
})

/** The column by which the table could be spread over machines; undefined for tables of the accounts. */
function tenantOf({ name, columns }: Table): string | undefined {
  if (name === 'spaces' || name === 'conversations') return 'id'
  return OWN_TENANTS[name] ?? ['space_id', 'tenant_id'].find((column) => columns.includes(column))
}

/** Both ends belong to no tenant, or both name it in the same place of the key. */
function leavesTenant({ table, columns, target, targetColumns }: ForeignKey): boolean {
  const [from, to] = [tenantColumn(table), tenantColumn(target)]
  if (from === undefined && to === undefined) return false
  if (from === undefined || to === undefined) return true
  return !columns.includes(from) || columns.indexOf(from) !== targetColumns.indexOf(to)
}

function tenantColumn(name: string): string | undefined {
  const table = tables.get(name)
  return table && tenantOf(table)
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
