import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../..')
const MAX_START_MS = 60_000
const MAX_STOP_MS = 15_000
const POLL_MS = 10
const LOG_TAIL = 2000

/** A folder for the server's data. `remove` deletes it. */
export interface DataDir {
  path: string
  remove(): Promise<void>
}

export async function makeDataDir(): Promise<DataDir> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'))
  return {
    path: join(folder, 'data'),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
  }
}

/** One process of the program. */
export interface ServerProcess {
  port: number
  pid: number
  /** Milliseconds from the start of the process to the first answer of /api/health. */
  startMs: number
  /** File with the process's output. */
  logPath: string
  stop(): Promise<void>
}

export interface Foyer extends ServerProcess {
  dataDir: string
  postgresPid: number
  /** The folder of PostgreSQL's socket. */
  postgresSocket: string
}

/** Runs `work` on a server of its own, and removes everything afterwards. */
export async function withFoyer<Result>(
  { profileDir, settings }: Pick<StartOptions, 'profileDir' | 'settings'>,
  work: (foyer: Foyer) => Promise<Result>,
): Promise<Result> {
  const dataDir = await makeDataDir()
  try {
    const foyer = await startFoyer({ dataDir: dataDir.path, profileDir, settings })
    return await work(foyer).finally(foyer.stop)
  } finally {
    await dataDir.remove()
  }
}

export interface StartOptions {
  dataDir: string
  profileDir?: string | undefined
  /** Environment variables, in addition to those of every benchmark. */
  settings?: Record<string, string> | undefined
}

/** Starts the program as its own process, with the embedded PostgreSQL and without rate limits. */
export async function startFoyer(options: StartOptions): Promise<Foyer> {
  const { dataDir } = options
  const started = await startProcess(options)
  const postgresSocket = realpathSync(join(dataDir, 'postgres-socket'))
  return { ...started, dataDir, postgresPid: readPostgresPid(dataDir), postgresSocket }
}

/** Starts the program with the given settings. Without DATABASE_URL, it starts the embedded PostgreSQL. */
export async function startProcess({ dataDir, profileDir, settings }: StartOptions): Promise<ServerProcess> {
  const port = await freePort()
  const logPath = `${dataDir}.${port}.log`
  const startedAt = performance.now()
  const child = spawnServer({ dataDir, profileDir, settings, port, logPath })
  const stop = () => stopServer(child)
  try {
    await answersHealth(child, port)
  } catch (error) {
    await stop()
    throw new Error(`the server did not start:\n${readFileSync(logPath, 'utf8').slice(-LOG_TAIL)}`, {
      cause: error,
    })
  }
  return { port, pid: child.pid ?? 0, startMs: performance.now() - startedAt, logPath, stop }
}

function spawnServer(given: StartOptions & { port: number; logPath: string }): ChildProcess {
  const profile = given.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${given.profileDir}`]
  const log = openSync(given.logPath, 'a')
  const child = spawn(join(ROOT, 'bin/server'), {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      NODE_OPTIONS: ['--inspect-port=0', ...profile].join(' '),
      PORT: String(given.port),
      HOST: '127.0.0.1',
      DATA_DIR: given.dataDir,
      DATABASE_URL: '',
      RATE_LIMITS: 'off',
      VOICE_PORT: '0',
      ...given.settings,
    },
  })
  closeSync(log)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

async function answersHealth(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + MAX_START_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended by itself')
    const isUp = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    await sleep(POLL_MS)
  }
  throw new Error(`it is not healthy after ${MAX_START_MS} ms`)
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS)
  await exited
  clearTimeout(timer)
}

/** Reads the file in which PostgreSQL notes the id of its main process. */
function readPostgresPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
