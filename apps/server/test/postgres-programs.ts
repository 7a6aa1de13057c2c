import assert from 'node:assert/strict'
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { LaunchOptions, PostgresAddress } from '#src/postgres/launch.ts'

const PROGRAM = join(import.meta.dirname, 'launch-postgres.ts')
/** Namespaces that each container has of its own. */
const CONTAINER = ['unshare', '--pid', '--ipc', '--mount', '--fork', '--kill-child', '--mount-proc']

/** Why no containers can be made here; false where they can. */
export const withoutContainers =
  spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0
    ? false
    : 'NOT TESTED: needs root, and unshare of util-linux'

/** A process that runs the PostgreSQL of a folder. */
export interface Program {
  /** Of the process that was started: for a container, of what holds it. */
  pid: number
  /** Rejects with its log when it ends before. */
  ready: Promise<{ connection: PostgresAddress; pid: number }>
  exited: Promise<number | null>
  log(): string
  /** Does nothing to what has ended. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Asks it to end, if it has not, and waits until it has. */
  end(): Promise<void>
}

export interface ProgramOptions {
  options?: Omit<Partial<LaunchOptions>, 'log'>
  account?: Pick<SpawnOptions, 'uid' | 'gid'>
  /** A shell command that runs before it in its own namespaces. With this, even an empty one, it is in a container. */
  inContainer?: string | undefined
}

export function startProgram(
  dataDir: string,
  { options, account, inContainer }: ProgramOptions = {},
): Program {
  const program = [process.execPath, PROGRAM, dataDir, JSON.stringify(options ?? {})]
  const script = `${inContainer || ':'}; exec "$@"`
  const wrapped = inContainer === undefined ? program : [...CONTAINER, 'sh', '-c', script, 'sh', ...program]
  const [file = '', ...args] = wrapped
  const child = spawn(file, args, { ...account, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const printed = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').once('data', printed.resolve)
  exited.then((code) => printed.reject(new Error(`The program ended with ${code}:\n${log}`)))
  const ready = printed.promise.then((text) => JSON.parse(text))
  // A test may not wait for it.
  ready.catch(() => undefined)
  const pid = child.pid ?? 0
  const signal = async (name: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    killIfThere(inContainer === undefined ? pid : await onlyChildOf(pid), name)
  }
  return {
    pid,
    ready,
    exited,
    log: () => log,
    signal,
    async end() {
      await signal('SIGTERM')
      await exited
    },
  }
}

async function onlyChildOf(pid: number): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

export function killIfThere(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has gone already.
  }
}

export async function ask(connection: pg.ClientConfig, sql: string): Promise<unknown> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query(sql).finally(() => client.end())
  return rows[0]?.answer
}

export async function askUntilAnswered(connection: pg.ClientConfig, sql: string): Promise<unknown> {
  let answer: unknown
  await within(20_000, async () => {
    answer = await ask(connection, sql).catch(() => undefined)
    return answer !== undefined
  })
  return answer
}

export async function killBackend(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await ended
}

/** Living processes whose working directory lies in the folder, as that of every PostgreSQL process does. */
export async function pidsUnder(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => places[index]?.startsWith(`${folder}/`))
}

export async function within(timeoutMs: number, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${timeoutMs} ms`)
    await sleep(20)
  }
}
