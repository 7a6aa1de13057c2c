import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Program {
  url: string
  pid: number
  /** Stops the program. Asserts that it exits in time with code 0. */
  stop(): Promise<void>
  /** Kills the program at once, as a power cut would. */
  kill(): Promise<void>
}

export interface ProgramOptions {
  dataDir: string
  /** 0 picks a free port. */
  port?: number
  /** Additional environment variables. */
  environment?: Record<string, string>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const STOP_LIMIT_MS = 10_000

/**
 * Starts the program as users do, and waits until it is ready. Without DATABASE_URL, it uses the embedded PostgreSQL.
 */
export async function startProgram({
  dataDir,
  port = 0,
  environment = {},
}: ProgramOptions): Promise<Program> {
  const child = spawn('bin/server', {
    cwd: root,
    env: { ...environmentFor(dataDir, port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  // Aborted tests must leave no program running.
  process.once('exit', () => child.kill('SIGKILL'))
  assert.ok(child.pid !== undefined)
  return {
    url: await readUrl(child),
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      const [code, signal] = await exited
      clearTimeout(timer)
      assert.deepEqual(
        { code, signal },
        { code: 0, signal: null },
        `ended in ${STOP_LIMIT_MS} ms after SIGTERM`,
      )
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Returns the environment of the program, without settings of the machine such as its database or mail server. */
function environmentFor(dataDir: string, port: number): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  const ports = { PORT: String(port), VOICE_PORT: '0' }
  return { PATH, HOME, TMPDIR, DATA_DIR: dataDir, ...ports, RATE_LIMITS: 'off' }
}

async function readUrl(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const lines: string[] = []
  // All output must be read, because a full pipe would block the program.
  const reader = createInterface({ input: child.stdout })
  const ready = Promise.withResolvers<string>()
  reader.on('line', (line) => {
    lines.push(line)
    const url = /Foyer is ready at (http:[^"\s]+)/.exec(line)?.[1]
    if (url !== undefined) ready.resolve(url)
  })
  reader.on('close', () => ready.reject(new Error(`Foyer did not start:\n${lines.join('\n')}`)))
  return ready.promise
}
