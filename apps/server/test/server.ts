import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@foyer/sdk/client'
import pino from 'pino'
import { type Config, readConfig } from '#src/config.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { atEndOfBatch, isBatch } from './batch.ts'
import { cloneDatabase } from './database.ts'
import { emptyServer } from './emptying.ts'

export interface TestServer extends RunningServer {
  dataDir: string
  /** A request as it goes over the wire, for what the SDK would never send. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A person with an account, signed in. */
  signUp(username: string): Promise<Client>
  /** Stops the server and removes all it had. */
  close(): Promise<void>
}

export const TEST_PASSWORD = 'correct horse battery'

/** The server with the usual settings that the files of a batch use, one after another. */
let batchServer: TestServer | undefined
let isTaken = false

/**
 * A server with no rows and no files. Limits of requests and previews of links are off unless asked for. Without changes,
 * files that run in one process get the same server one after another, emptied in between. A file that breaks it, stops
 * it, moves its clock, or counts since its start calls `startOwnServer`.
 * @param changes settings that differ from the usual ones
 */
export async function startTestServer(changes?: Partial<Config>): Promise<TestServer> {
  if (changes !== undefined || !isBatch() || isTaken) return startOwnServer(changes)
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

/** A server on a database of its own and a free port. */
export async function startOwnServer(changes: Partial<Config> = {}): Promise<TestServer> {
  const [database, dataDir] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), 'foyer-test-'))])
  const settings = { PORT: '0', VOICE_PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LINK_PREVIEWS: 'off' }
  const config = { ...readConfig(settings), ...changes }
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const server = testServerOf(await startServer({ config, connection: database.connection, log }), dataDir)
  return {
    ...server,
    async close() {
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** The server as tests use it. */
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
