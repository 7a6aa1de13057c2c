import pg from 'pg'
import { LONGEST_NAME } from '#src/kernel/database/snapshot-names.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { NoSnapshot } from './no-snapshot.ts'

/** Databases that every PostgreSQL has, to connect to: a database cannot be copied or renamed over a connection to itself. */
const ELSEWHERE = ['postgres', 'template1']
/**
 * TCP keepalives, by which PostgreSQL detects within a minute that a machine is gone. Otherwise, the lock of that machine
 * would stay for hours.
 */
const KEEPALIVES = `set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`
/** Limits that an operator may have set for servers, which would end a long copy. */
const LIMITS = [
  'statement_timeout',
  'lock_timeout',
  'transaction_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
]
/** Name that the connections of updates and rollbacks give themselves. */
export const APPLICATION_NAME = 'foyer update'
export const DISK_FULL = '53100'
/** Error code for a database in use by another session. */
const IN_USE = '55006'
/** Error classes of lost connections, missing resources, interventions and failures: no healthy PostgreSQL sends them. */
const TROUBLE = /^(08|53|57|58|XX)/

/** Returns the settings for another database of the same PostgreSQL. */
export function connectionTo(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  // The driver uses decodeURI, which does not decode the codes of + and /.
  url.pathname = `/${encodeURI(database).replace(/[?#]/g, encodeURIComponent)}`
  return { ...connection, connectionString: url.href }
}

/** Connects, runs the work, and disconnects. */
export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(connection)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: APPLICATION_NAME })
  // A lost connection also fails the running statement. Without a listener, its event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** A connection beside the server's database, to copy and rename it. */
export interface Beside {
  admin: pg.Client
  /** Name of the server's database. */
  name: string
}

/**
 * Connects to another database of the same PostgreSQL, and waits until no other process updates or rolls back this one.
 * Only then does it connect to the server's own database: a connection during copying would make the copy useless.
 * @throws NoSnapshot if no other database can be reached, or the name is too long for the suffixes of copies
 */
export async function openBeside(connection: pg.ClientConfig): Promise<Beside> {
  const name = new pg.Client(connection).database ?? ''
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new NoSnapshot(`the name of the database is longer than ${LONGEST_NAME} bytes`)
  const admin = await connectElsewhere(connection)
  try {
    await admin.query(`select set_config(name, '0', false) from pg_settings where name = any($1::text[])`, [
      LIMITS,
    ])
    await admin.query(KEEPALIVES)
    await admin.query('select pg_advisory_lock($1::bigint)', [await lockOf(admin, name)])
    // A connection pooler may have another name for the database.
    if ((await withClient(connection, nameOf)) !== name)
      throw new NoSnapshot('the database has another name in PostgreSQL than in its address')
    return { admin, name }
  } catch (error) {
    await admin.end()
    throw error
  }
}

async function nameOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  return rows[0]?.name ?? ''
}

async function connectElsewhere(connection: pg.ClientConfig): Promise<pg.Client> {
  const reasons: string[] = []
  for (const database of ELSEWHERE) {
    try {
      return await connect(connectionTo(connection, database))
    } catch (error) {
      reasons.push(wordsOf(error))
    }
  }
  throw new NoSnapshot(`the database ${ELSEWHERE[0]} cannot be reached (${reasons[0]})`)
}

async function lockOf(admin: pg.Client, name: string): Promise<string> {
  const { rows } = await admin.query<{ key: string }>(
    `select hashtextextended('foyer update of ' || $1, 0)::text as key`,
    [name],
  )
  return rows[0]?.key ?? '0'
}

export function isInUse(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === IN_USE
}

/** Returns true if a working PostgreSQL refuses a statement, for example for a lack of permissions. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !TROUBLE.test(error.code ?? '')
}

export async function rename({ admin }: Beside, from: string, to: string): Promise<void> {
  await admin.query(`alter database ${pg.escapeIdentifier(from)} rename to ${pg.escapeIdentifier(to)}`)
}

export async function dropDatabase({ admin }: Beside, database: string): Promise<void> {
  await admin.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`)
}
