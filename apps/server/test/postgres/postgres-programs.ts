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
/** Command that runs a program in its own namespaces, like a container. */
const CONTAINER = ['unshare', '--pid', '--ipc', '--mount', '--fork', '--kill-child', '--mount-proc']

/** Reason why this machine cannot create containers, or false. */
export const withoutContainers =
  spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0
    ? false
    : 'NOT TESTED: needs root, and unshare of util-linux'

/** A process that runs the PostgreSQL of a data folder. */
export interface Program {
  /** Id of the started process. For a container, the process around it. */
  pid: number
  /** Rejects with the log if the process ends before PostgreSQL is ready. */
  ready: Promise<{ connection: PostgresAddress; pid: number }>
  exited: Promise<number | null>
  log(): string
  /** Returns the root folder as the process sees it. */
  root(): Promise<string>
  /** Does nothing after the process has ended. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Sends SIGTERM if the process still runs, and waits until it has ended. */
  end(): Promise<void>
}

export interface ProgramContext {
  account?: Pick<SpawnOptions, 'uid' | 'gid'>
  environment?: NodeJS.ProcessEnv
  /** Shell command to run before the program. If defined, even if empty, both run in a container. */
  inContainer?: string | undefined
}

export interface ProgramOptions extends ProgramContext {
  options?: Omit<Partial<LaunchOptions>, 'log'> | undefined
}

export function startProgram(dataDir: string, { options, ...context }: ProgramOptions = {}): Program {
  const started = start([process.execPath, PROGRAM, dataDir, JSON.stringify(options ?? {})], context)
  const ready = started.line(/^\{.*\}$/m).then(([text]) => JSON.parse(text))
  // Prevents an unhandled rejection in tests that do not wait for it.
  ready.catch(() => undefined)
  return { ...started, ready }
}

/** The whole server, with its embedded PostgreSQL. */
export interface ServerProgram extends Omit<Program, 'ready'> {
  url: Promise<string>
}

/** @param context how to start the server; its environment variables are added to the usual settings */
export function startServerProgram(dataDir: string, context: ProgramContext = {}): ServerProgram {
  const { PATH, HOME, TMPDIR } = process.env
  const settings = { DATA_DIR: dataDir, PORT: '0', VOICE_PORT: '0', RATE_LIMITS: 'off' }
  const environment = { PATH, HOME, TMPDIR, ...settings, ...context.environment }
  const started = start([process.execPath, SERVER], { ...context, environment })
  const url = started.line(/Foyer is ready at (http:[^"\s]+)/).then(([, found = '']) => found)
  url.catch(() => undefined)
  return { ...started, url }
}

type Started = Omit<Program, 'ready'> & { line(pattern: RegExp): Promise<RegExpExecArray> }

function start(program: string[], { account, inContainer, environment }: ProgramContext): Started {
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
    // The process has ended already.
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

/**
 * Returns the running processes whose working directory is below the folder. All processes of PostgreSQL work there.
 */
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
