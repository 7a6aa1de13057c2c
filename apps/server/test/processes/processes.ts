import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Config, readConfig } from '#src/config.ts'
import { type StartOptions, startServer } from '#src/start.ts'
import { cloneDatabase } from '../database.ts'
import { passwordCost, quick, type TestServer, testServerOf } from '../server.ts'
import { startValkey, type TestValkey } from '../valkey/valkey.ts'

/** Several servers of one installation. They share a database, a Valkey, the SECRET_KEY and a data folder. */
export interface Processes {
  /** Servers that were started together. */
  servers: readonly [TestServer, TestServer, ...TestServer[]]
  valkey: TestValkey
  /** Options to start another server in its own process, with `startChildServer`. */
  shared: Pick<StartOptions, 'config' | 'connection' | 'passwordCost'>
  /** Starts another server in this process. */
  start(changes?: Partial<Config>): Promise<TestServer>
  /** Stops all servers and removes their data. */
  close(): Promise<void>
}

const SECRET_KEY = 'all processes of the installation have this key'

/**
 * Starts one server for each item of `each`, which contains its differences from the usual settings. All servers run in this
 * process, on ports of their own, and can be closed separately. Rate limits and link previews are off by default.
 */
export async function startProcesses(each: readonly Partial<Config>[] = [{}, {}]): Promise<Processes> {
  const opened = new AsyncDisposableStack()
  try {
    return await open(each, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function open(each: readonly Partial<Config>[], opened: AsyncDisposableStack): Promise<Processes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  opened.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const database = await cloneDatabase()
  opened.defer(() => database.drop())
  const valkey = await startValkey()
  opened.defer(() => valkey.close())
  const settings = {
    PORT: '0',
    VOICE_PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY,
    RATE_LIMITS: 'off',
    LINK_PREVIEWS: 'off',
  }
  const config = { ...readConfig(settings), valkeyUrl: valkey.url }
  const shared = { config, connection: database.connection, passwordCost }
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const start = async (changes: Partial<Config> = {}) => {
    const running = await startServer({ ...shared, ...quick, config: { ...config, ...changes }, log })
    const server = closingOnce(testServerOf(running, dataDir))
    opened.defer(() => server.close())
    return server
  }
  // Starts the servers at the same time, as after a deployment.
  const [first, second, ...others] = await Promise.all(each.map(start))
  if (first === undefined || second === undefined) throw new Error('several are two at least')
  return { servers: [first, second, ...others], valkey, shared, start, close: () => opened.disposeAsync() }
}

function closingOnce(server: TestServer): TestServer {
  let closed: Promise<void> | undefined
  return {
    ...server,
    close() {
      closed ??= server.close()
      return closed
    },
  }
}
