import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { askOwnAddress } from '#src/operating/doctor/stun-questions.ts'
import { until } from '../until.ts'

const PROGRAM = 'turnserver'
const isInstalled = hasProgram()

/** Reason to skip tests that need coturn, or false. With CI set, they fail instead of being skipped. */
export const withoutCoturn =
  !isInstalled && process.env.CI === undefined ? `${PROGRAM} (coturn) is not installed` : false

/** A TURN server with a shared secret, as described in docs/VOICE.md. */
export interface TestCoturn {
  /** Host and port, like `127.0.0.1:3478`. */
  host: string
  secret: string
  close(): Promise<void>
}

export async function startCoturn(): Promise<TestCoturn> {
  const port = await freePort()
  const [host, secret] = [`127.0.0.1:${port}`, 'known to both']
  const flags = [
    ...['-n', '--no-cli', '--no-tls', '--no-dtls', '--log-file=stdout', '--pidfile='],
    ...[`--listening-port=${port}`, '--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1'],
    ...['--use-auth-secret', `--static-auth-secret=${secret}`, '--realm=foyer.test'],
    // Needed only in tests, where all peers are on loopback.
    '--allow-loopback-peers',
  ]
  const child = spawn(PROGRAM, flags, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  // An aborted test must not leave a process running.
  process.once('exit', kill)
  await until(() => answers(host), 'coturn answers')
  return {
    host,
    secret,
    async close() {
      kill()
      await exited
      process.off('exit', kill)
    },
  }
}

function answers(host: string): Promise<boolean> {
  return askOwnAddress(`stun:${host}`).then(
    () => true,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

function hasProgram(): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${PROGRAM}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
