import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@foyer/sdk/client'
import pino from 'pino'
import { type Config, readConfig } from '#src/config.ts'
import type { PasswordCost } from '#src/kernel/secrets/passwords.ts'
import { PUZZLE_WORK, type PuzzleWork } from '#src/people/registration/puzzles.ts'
import { type RunningServer, type StartOptions, startServer } from '#src/start.ts'
import { atEndOfBatch, isBatch } from './batch.ts'
import { cloneDatabase } from './database.ts'
import { emptyServer } from './emptying.ts'

export interface TestServer extends RunningServer {
  dataDir: string
  /** Sends a raw request that the SDK would never send. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Creates an account and returns a client that is logged in. */
  signUp(username: string): Promise<Client>
  /** Stops the server and removes its data. */
  close(): Promise<void>
}

/** Times, costs and a log that replace the defaults of tests. */
type TestTimes = Partial<Pick<StartOptions, 'probeTimes' | 'passwordCost' | 'puzzleWork' | 'log'>>

/** The lowest cost that argon2id allows, because tests create thousands of accounts. */
export const passwordCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

/** Puzzles that take milliseconds. */
export const puzzleWork: PuzzleWork = { ...PUZZLE_WORK, restTries: 4, attackTries: 16 }

/** Costs and intervals of test servers. */
export const quick = { passwordCost, puzzleWork, maxPageRestMs: 0, lookMs: 500 }

export const TEST_PASSWORD = 'correct horse battery'

/** Server with the usual settings, which the files of a batch use one after another. */
let batchServer: TestServer | undefined
let isTaken = false

/**
 * Starts a server without rows and files. Rate limits and link previews are off by default. Without changes, the test
 * files of a process share a server, which is emptied in between. Use `startOwnServer` for tests that break or stop
 * the server, move its clock, or count since its start.
 * @param changes settings that differ from the usual ones; without `changes`, a shared server ignores `times`
 */
export async function startTestServer(changes?: Partial<Config>, times: TestTimes = {}): Promise<TestServer> {
  if (changes !== undefined || !isBatch() || isTaken) return startOwnServer(changes, times)
  isTaken = true
  const server = await takeBatchServer()
  return {
    ...server,
    async close() {
      isTaken = false
    },
  }
}

async function takeBatchServer(): Promise<TestServer> {
  if (batchServer !== undefined) {
    await emptyServer(batchServer)
    return batchServer
  }
  const server = await startOwnServer()
  atEndOfBatch(() => server.close())
  batchServer = server
  return server
}

/** Starts a server with its own database, on a free port. */
export async function startOwnServer(
  changes: Partial<Config> = {},
  times: TestTimes = {},
): Promise<TestServer> {
  const [database, dataDir] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), 'foyer-test-'))])
  const settings = { PORT: '0', VOICE_PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LINK_PREVIEWS: 'off' }
  const config = { ...readConfig(settings), ...changes }
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const options = { config, connection: database.connection, log, ...quick, ...times }
  const server = testServerOf(await startServer(options), dataDir)
  return {
    ...server,
    async close() {
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Adds the methods that tests use. */
export function testServerOf(server: RunningServer, dataDir: string): TestServer {
  return {
    ...server,
    dataDir,
    fetch: (path, init) => fetch(`${server.url}${path}`, init),
    async signUp(username) {
      const client = new Client({ baseUrl: server.url })
      await client.auth.signin({ username, email: `${username}@example.org`, password: TEST_PASSWORD })
      return client
    },
  }
}
