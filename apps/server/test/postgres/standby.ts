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

/** A standby that replicates another PostgreSQL. */
export interface Standby {
  connection: pg.ClientConfig
  url: string
  start(): Promise<void>
  /** Kills all processes, like a power cut. */
  kill(): Promise<void>
  /** Suspends all processes, or continues them. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>
  remove(): Promise<void>
}

/** @param folder data folder of the primary, like `DATA_DIR/postgres` */
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
    // Kills the children, too. While suspended, they do not notice the end of the main process.
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

/** Copies the data folder as pg_basebackup does. The binaries from the npm registry do not include that program. */
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

/** Returns the processes that work in the folder, which are all processes of the standby. The main process comes first. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const places = await Promise.all(pids.map((pid) => placeOf(pid)))
  return pids.filter((_, index) => places[index] === folder).toSorted((a, b) => a - b)
}

async function placeOf(pid: number): Promise<string> {
  // A zombie process has no working directory.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return status.includes(') Z ') ? '' : readlink(`/proc/${pid}/cwd`).catch(() => '')
}
