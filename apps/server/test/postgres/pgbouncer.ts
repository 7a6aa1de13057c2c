import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { CONNECT_QUERY, type Pooling } from '#src/kernel/sql/pooling.ts'
import { until } from '../until.ts'

const NOBODY = 65_534
const PROGRAM = 'pgbouncer'
const isInstalled = hasProgram()

/** Reason to skip tests that need PgBouncer, or false. With CI set, they fail instead of being skipped. */
export const withoutPgBouncer =
  !isInstalled && process.env.CI === undefined ? 'pgbouncer is not installed' : false

export interface TestPgBouncer {
  url: string
  close(): Promise<void>
}

/** Starts a PgBouncer in front of the database. */
export async function startPgBouncer(
  { host = '', port = 5432, user = '', database = '' }: pg.ClientConfig,
  mode: Exclude<Pooling, 'none'>,
  connectQuery = CONNECT_QUERY,
): Promise<TestPgBouncer> {
  const [folder, listenPort] = await Promise.all([mkdtemp(join(tmpdir(), 'foyer-pgbouncer-')), freePort()])
  const file = join(folder, 'pgbouncer.ini')
  const query = mode === 'transaction' ? ` connect_query='${connectQuery.replaceAll("'", "''")}'` : ''
  const lines = [
    '[databases]',
    `${database} = host=${host} port=${port} user=${user} dbname=${database}${query}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${mode === 'session' ? 40 : 8}`,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const { uid, gid } = await accountFor(host)
  for (const path of [folder, file]) await chown(path, uid, gid)
  const child = spawn(PROGRAM, ['-q', file], { uid, gid, stdio: 'ignore' })
  const exited = once(child, 'exit')
  // An aborted test must not leave a process running.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `postgresql://${user}@127.0.0.1:${listenPort}/${database}`
  await until(() => answers(url), 'PgBouncer answers').catch((error) => {
    // The running child would keep the test process alive.
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    async close() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the account for PgBouncer, which refuses to run as root. Root uses the owner of the socket folder, whom
 * PostgreSQL accepts, or `nobody` over TCP.
 */
async function accountFor(host: string): Promise<{ uid: number; gid: number }> {
  if (process.getuid?.() !== 0) return userInfo()
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: NOBODY, gid: NOBODY }
  return { uid, gid }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function hasProgram(): boolean {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
