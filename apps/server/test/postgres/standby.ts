import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount } from '#src/postgres/account.ts'
import { findBinaries } from '#src/postgres/binaries.ts'
import { canBindLives, type Guarded, spawnGuarded } from '#src/postgres/guarded.ts'
import type { EmbeddedPostgres } from '#src/postgres/launch.ts'
import { settingsArguments } from '#src/postgres/settings.ts'
import { makeSocketFolder, removeSocketFolder } from '#src/postgres/socket.ts'
import { until } from '../until.ts'

const run = promisify(execFile)

/** A PostgreSQL that follows another one. */
export interface Standby {
  connection: pg.ClientConfig
  url: string
  start(): Promise<void>
  /** As a power cut would. */
  kill(): Promise<void>
  /** Lets all of it hang until it gets SIGCONT. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>
  remove(): Promise<void>
}

/** @param folder the primary's, as in `DATA_DIR/postgres` */
export async function startStandby(primary: EmbeddedPostgres, folder: string): Promise<Standby> {
  const home = await mkdtemp(join(tmpdir(), 'foyer-standby-'))
  await run('chmod', ['755', home])
  const copy = join(home, 'postgres')
  await copyCluster(primary, folder, copy)
  const account = await chooseAccount(copy)
  const [binaries, bound, socket] = await Promise.all([
    findBinaries(account, () => undefined),
    canBindLives(),
    makeSocketFolder(account),
  ])
  const connection = { ...primary.connection, host: socket }
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    fsync: 'off',
    primary_conninfo: `host=${primary.connection.host} port=${primary.connection.port} user=foyer`,
    wal_retrieve_retry_interval: '100ms',
  }
  const command = [binaries.postgres, '-D', copy, ...settingsArguments(settings)]
  let running: Guarded | undefined
  const kill = async () => {
    // Its children too, which do not notice while they are stopped.
    for (const pid of await processesIn(copy)) process.kill(pid, 'SIGKILL')
    await running?.exited
  }
  return {
    connection,
    url: `postgresql://foyer@localhost/foyer?host=${encodeURIComponent(socket)}`,
    kill,
    async start() {
      await until(() => isFree(copy), 'its processes are gone')
      await rm(join(copy, 'postmaster.pid'), { force: true })
      running = spawnGuarded(command, { cwd: copy, account, bound })
      await until(() => answers(connection), 'the standby answers')
    },
    async signal(name) {
      for (const pid of await processesIn(copy)) process.kill(pid, name)
    },
    async remove() {
      await kill()
      await until(() => isFree(copy), 'its processes are gone')
      await removeSocketFolder(socket)
      await rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** As pg_basebackup does it, which the binaries of the registry leave out. */
async function copyCluster(primary: EmbeddedPostgres, folder: string, copy: string): Promise<void> {
  const client = new pg.Client(primary.connection)
  await client.connect()
  await client.query("select pg_backup_start('standby', fast => true)")
  await run('cp', ['-a', folder, copy])
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  await client.end()
  await rm(join(copy, 'postmaster.pid'), { force: true })
  await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
  await writeFile(join(copy, 'standby.signal'), '')
  await run('chown', ['-R', '--reference', folder, copy])
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

async function isFree(folder: string): Promise<boolean> {
  return (await processesIn(folder)).length === 0
}

/** Those that stand in the folder, as all of PostgreSQL's processes do; the main one before its children. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const places = await Promise.all(pids.map((pid) => placeOf(pid)))
  return pids.filter((_, index) => places[index] === folder).toSorted((a, b) => a - b)
}

async function placeOf(pid: number): Promise<string> {
  // A process that is gone but not yet waited for stands nowhere.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status.includes(') Z ') ? '' : readlink(`/proc/${pid}/cwd`).catch(() => '')
}
