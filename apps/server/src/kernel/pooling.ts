import type pg from 'pg'
import { type Queryable, sql } from './sql.ts'

/**
 * What stands before the database. A PgBouncer takes no settings with a new connection. In `session` mode they are made
 * once there is one; in `transaction` mode a connection leads to another one's session each time: its sessions get their
 * settings from PgBouncer, and no statement can be prepared.
 */
export type Pooling = 'none' | 'session' | 'transaction'

export interface Connection extends pg.ClientConfig {
  pooling?: Pooling
}

/** What PgBouncer has to do with its own connections in `transaction` mode. */
export const CONNECT_QUERY =
  "set TimeZone to 'UTC'; set statement_timeout to 5000; set idle_in_transaction_session_timeout to 5000"

/** The configuration without what cannot pass a PgBouncer. */
export function passable<C extends Connection>({ pooling = 'none', ...config }: C): Omit<C, 'pooling'> {
  if (pooling === 'none') return config
  const settings = { statement_timeout: undefined, idle_in_transaction_session_timeout: undefined }
  return { ...config, ...settings, options: undefined }
}

/** Makes a new connection what a direct one is from the beginning, as far as that can be. */
export async function prepare(client: pg.ClientBase, connection: Connection): Promise<void> {
  if (connection.pooling === 'session') await client.query(setAll(settingsOf(connection), 'session'))
  if (connection.pooling === 'transaction') forgetNames(client)
}

/** The settings of `options`, for one transaction: undefined where the session has them. */
export function settingsOfTransaction({ pooling, options }: Connection): string | undefined {
  return pooling === 'transaction' ? setAll(readOptions(options), 'local') : undefined
}

/** @throws Error that says what PgBouncer has to do with its connections in `transaction` mode, where it does not */
export async function checkPooled(database: Queryable): Promise<void> {
  const [session] = await database.query<{ zone: string; timeout: string }>(sql`
    select current_setting('TimeZone') as zone, current_setting('statement_timeout') as timeout`)
  if (session?.zone === 'UTC' && session.timeout !== '0') return
  const quoted = CONNECT_QUERY.replaceAll("'", "''")
  throw new Error(
    `DATABASE_POOLING=transaction needs connect_query='${quoted}' for the database in pgbouncer.ini`,
  )
}

type Settings = [name: string, value: string][]

function settingsOf({
  options,
  statement_timeout,
  idle_in_transaction_session_timeout,
}: Connection): Settings {
  const settings = readOptions(options)
  if (statement_timeout) settings.push(['statement_timeout', `${statement_timeout}`])
  if (idle_in_transaction_session_timeout)
    settings.push(['idle_in_transaction_session_timeout', `${idle_in_transaction_session_timeout}`])
  return settings
}

/** `-c name=value -c …`, as our own constants have them. */
function readOptions(options = ''): Settings {
  return [...options.matchAll(/-c (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
}

function setAll(settings: Settings, scope: 'session' | 'local'): string {
  return settings.map(([name, value]) => `set ${scope} ${name} = '${value}'`).join('; ')
}

/** A statement without a name is prepared for one use. */
function forgetNames(client: pg.ClientBase): void {
  const query = client.query
  Reflect.set(client, 'query', (statement: unknown, ...others: unknown[]) => {
    const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement
    return Reflect.apply(query, client, [isNamed ? { ...statement, name: '' } : statement, ...others])
  })
}
