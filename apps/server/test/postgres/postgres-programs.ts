import assert from 'node:assert/strict'
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { LaunchOptions, PostgresAddress } from '#src/postgres/launch.ts'

const SERVER = join(import.meta.dirname, '../../src/main.ts')
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
  /** The files as it sees them. */
  root(): Promise<string>
  /** Does nothing to what has ended. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Asks it to end, if it has not, and waits until it has. */
  end(): Promise<void>
}

export interface Place {
  account?: Pick<SpawnOptions, 'uid' | 'gid'>
  environment?: NodeJS.ProcessEnv
  /** A shell command that runs before it in its own namespaces. With this, even an empty one, it is in a container. */
  inContainer?: string | undefined
}

export interface ProgramOptions extends Place {
  options?: Omit<Partial<LaunchOptions>, 'log'> | undefined
}

export function startProgram(dataDir: string, { options, ...place }: ProgramOptions = {}): Program {
  const started = start([process.execPath, PROGRAM, dataDir, JSON.stringify(options ?? {})], place)
  const ready = started.line(/^\{.*\}$/m).then(([text]) => JSON.parse(text))
  // A test may not wait for it.
  ready.catch(() => undefined)
  return { ...started, ready }
}

/** The server itself, on the PostgreSQL that it brings. */
export interface ServerProgram extends Omit<Program, 'ready'> {
  url: Promise<string>
}

/** @param place its environment has these settings besides the usual ones */
export function startServerProgram(dataDir: string, place: Place = {}): ServerProgram {
  const { PATH, HOME, TMPDIR } = process.env
  const settings = { DATA_DIR: dataDir, PORT: '0', VOICE_PORT: '0', RATE_LIMITS: 'off' }
  const environment = { PATH, HOME, TMPDIR, ...settings, ...place.environment }
  const started = start([process.execPath, SERVER], { ...place, environment })
  const url = started.line(/Foyer is ready at (http:[^"\s]+)/).then(([, found = '']) => found)
  url.catch(() => undefined)
  return { ...started, url }
}

type Started = Omit<Program, 'ready'> & { line(pattern: RegExp): Promise<RegExpExecArray> }

function start(program: string[], { account, inContainer, environment }: Place): Started {
  const script = `${inContainer || ':'}; exec "$@"`
  const wrapped = inContainer === undefined ? program : [...CONTAINER, 'sh', '-c', script, 'sh', ...program]
  const [file = '', ...args] = wrapped
  const child = spawn(file, args, { ...account, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const keep = (text: string) => {
    log += text
  }
  child.stderr.setEncoding('utf8').on('data', keep)
  child.stdout.setEncoding('utf8').on('data', keep)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const pid = child.pid ?? 0
  const inside = async () => (inContainer === undefined ? pid : onlyChildOf(pid))
  const signal = async (name: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) killIfThere(await inside(), name)
  }
  return {
    pid,
    exited,
    log: () => log,
    signal,
    root: async () => `/proc/${await inside()}/root`,
    async end() {
      await signal('SIGTERM')
      await exited
    },
    async line(pattern) {
      const ended = exited.then((code) =>
        Promise.reject(new Error(`The program ended with ${code}:\n${log}`)),
      )
      ended.catch(() => undefined)
      for (;;) {
        const found = pattern.exec(log)
        if (found !== null) return found
        await Promise.race([once(child.stdout, 'data'), ended])
      }
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
