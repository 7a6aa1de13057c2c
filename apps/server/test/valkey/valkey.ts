import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** A Valkey or Redis for one test file. */
export interface TestValkey {
  url: string
  /** Kills the server, like a power cut. `start` restarts it at the same address, empty. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Suspends the server until `resume`. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

const PROGRAMS = ['valkey-server', 'redis-server']
const program = PROGRAMS.find((name) => isInstalled(name))

/** Reason to skip tests that need Valkey, or false. With CI set, they fail instead of being skipped. */
export const withoutValkey =
  program === undefined && process.env.CI === undefined
    ? 'neither valkey-server nor redis-server is installed'
    : false

/** @param settings additional arguments of the program */
export async function startValkey(settings: readonly string[] = []): Promise<TestValkey> {
  if (program === undefined) throw new Error('neither valkey-server nor redis-server is installed')
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'foyer-valkey-')), freePort()])
  const url = `redis://127.0.0.1:${port}`
  const flags = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
    ...settings,
  ]
  let running: ChildProcess | undefined
  const kill = async () => {
    if (running === undefined) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    running = undefined
    await exited
  }
  const start = async () => {
    running = spawn(program, flags, { stdio: 'ignore' })
    await answering(url)
  }
  // An aborted test must not leave a process running.
  process.once('exit', () => running?.kill('SIGKILL'))
  await start()
  return {
    url,
    kill,
    start,
    pause: () => void running?.kill('SIGSTOP'),
    resume: () => void running?.kill('SIGCONT'),
    async close() {
      await kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

async function answering(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  const pong = await Promise.race([client.ping(), delay(10_000, undefined, { ref: false })])
  client.disconnect()
  if (pong === undefined) throw new Error('the test Valkey does not answer')
}

/**
 * Ports below the range for outgoing connections, so that no connection takes a port before the test listens on it. Each
 * process has a block of its own.
 */
const PORTS = { first: 16_000, blocks: 200, perBlock: 80 }
let given = 0

/**
 * Finds a free port for a program that needs to know its port in advance. Processes search different blocks, unless their ids
 * differ by a multiple of 200.
 */
export async function freePort(): Promise<number> {
  const { first, blocks, perBlock } = PORTS
  for (let tries = 0; tries < perBlock; tries += 1) {
    const port = first + (process.pid % blocks) * perBlock + (given % perBlock)
    given += 1
    if (await isFree(port)) return port
  }
  throw new Error('there is no free port')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Returns true if the program can be started. @param question argument with which the program always succeeds */
export function isInstalled(name: string, question = '--version'): boolean {
  try {
    execFileSync(name, [question], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
