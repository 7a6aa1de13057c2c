import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Program {
  url: string
  /** Of its process. */
  pid: number
  /** Asks it to end, and holds it to doing so in time and without complaint. */
  stop(): Promise<void>
  /** As a power cut would. */
  kill(): Promise<void>
}

export interface ProgramOptions {
  dataDir: string
  /** 0 takes a free one. */
  port?: number
  /** Settings besides. */
  environment?: Record<string, string>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const STOP_LIMIT_MS = 10_000

/** The program as people run it, on the PostgreSQL that it brings, ready to be used. */
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
  // A test that was broken off leaves no program behind.
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

/** Nothing of who runs the tests: neither their database nor their mail server. */
function environmentFor(dataDir: string, port: number): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  const ports = { PORT: String(port), VOICE_PORT: '0' }
  return { PATH, HOME, TMPDIR, DATA_DIR: dataDir, ...ports, RATE_LIMITS: 'off' }
}

async function readUrl(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const lines: string[] = []
  // Read to its end: a full pipe would stop the program.
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
