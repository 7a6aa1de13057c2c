import type pg from 'pg'
import { type Queryable, sql } from './sql.ts'

/**
 * The kind of PgBouncer before the database. It accepts no settings with a new connection. In `session` mode they
 * are set after connecting. In `transaction` mode each transaction may get another server session, so PgBouncer
 * itself must set them, and statements cannot be prepared.
 */
export type Pooling = 'none' | 'session' | 'transaction'

export interface Connection extends pg.ClientConfig {
  pooling?: Pooling
}

/** The settings that PgBouncer must apply to its own connections in `transaction` mode. */
export const CONNECT_QUERY =
  "set TimeZone to 'UTC'; set statement_timeout to 5000; set idle_in_transaction_session_timeout to 5000"

/** Returns the configuration without the parts that PgBouncer refuses. */
export function passable<C extends Connection>({ pooling = 'none', ...config }: C): Omit<C, 'pooling'> {
  if (pooling === 'none') return config
  const settings = { statement_timeout: undefined, idle_in_transaction_session_timeout: undefined }
  return { ...config, ...settings, options: undefined }
}

/** Gives a new connection the settings that a direct connection has from the start, as far as possible. */
export async function prepare(client: pg.ClientBase, connection: Connection): Promise<void> {
  if (connection.pooling === 'session') await client.query(setAll(settingsOf(connection), 'session'))
  if (connection.pooling === 'transaction') forgetNames(client)
}

/** Returns the settings of `options` for one transaction; undefined if the session already has them. */
export function settingsOfTransaction({ pooling, options }: Connection): string | undefined {
  return pooling === 'transaction' ? setAll(readOptions(options), 'local') : undefined
}

/**
 * @throws Error with the settings PgBouncer must apply to its connections in `transaction` mode, if they are missing
 */
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

/** Parses `-c name=value -c …`, the form of our own constants. */
function readOptions(options = ''): Settings {
  return [...options.matchAll(/-c (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
}

function setAll(settings: Settings, scope: 'session' | 'local'): string {
  return settings.map(([name, value]) => `set ${scope} ${name} = '${value}'`).join('; ')
}

/** Removes statement names. An unnamed statement is prepared for one use. */
function forgetNames(client: pg.ClientBase): void {
  const query = client.query
  Reflect.set(client, 'query', (statement: unknown, ...others: unknown[]) => {
    const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement
    return Reflect.apply(query, client, [isNamed ? { ...statement, name: '' } : statement, ...others])
  })
}
