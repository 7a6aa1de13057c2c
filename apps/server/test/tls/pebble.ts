import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { until } from '../until.ts'
import { freePort, isInstalled } from '../valkey/valkey.ts'
import { makePair } from './openssl.ts'

/** Let's Encrypt's test server, and the DNS in which every name leads to this machine. */
export interface Pebble {
  /** Address for ACME_DIRECTORY. */
  directory: string
  /** The certificate of pebble's own API, for NODE_EXTRA_CA_CERTS. */
  apiCertificate: string
  /** The root of the certificates that it issues. */
  root: string
  /** Ports on which it asks servers. */
  httpPort: number
  httpsPort: number
  /** Suspends it: it accepts connections, and answers nothing. */
  pause(): void
  goOn(): void
  close(): Promise<void>
}

const isThere = isInstalled('pebble', '-h')

/** Reason to skip tests that need pebble, or false. With CI set, they fail instead of being skipped. */
export const withoutPebble =
  (!isThere || !isInstalled('openssl', 'version')) && process.env.CI === undefined
    ? 'pebble or openssl is not installed'
    : false

/** As that of Let's Encrypt. */
const VALIDITY_SECONDS = 90 * 24 * 60 * 60
const TRUSTED = getCACertificates('default')

/** @param environment failures to inject, such as PEBBLE_WFE_NONCEREJECT */
export async function startPebble(environment: Record<string, string> = {}): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-pebble-'))
  const ports = await Promise.all(Array.from({ length: 6 }, freePort))
  const [api = 0, management = 0, httpPort = 0, httpsPort = 0, dns = 0, dnsManagement = 0] = ports
  const pair = await makePair('127.0.0.1')
  const [certificate, privateKey] = [join(folder, 'api.pem'), join(folder, 'api.key')]
  await writeFile(certificate, pair.chain)
  await writeFile(privateKey, pair.key)
  const pebble = {
    ...{ listenAddress: `127.0.0.1:${api}`, managementListenAddress: `127.0.0.1:${management}` },
    ...{ certificate, privateKey, httpPort, tlsPort: httpsPort, ocspResponderURL: '' },
    domainBlocklist: ['blocked.example.org'],
    certificateValidityPeriod: VALIDITY_SECONDS,
  }
  await writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble }))
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const names = start('pebble-challtestsrv', [
    ...none,
    ...[
      '-dns01',
      `127.0.0.1:${dns}`,
      '-defaultIPv4',
      '127.0.0.1',
      '-management',
      `127.0.0.1:${dnsManagement}`,
    ],
  ])
  const server = start(
    'pebble',
    ['-config', join(folder, 'pebble.json'), '-dnsserver', `127.0.0.1:${dns}`, '-strict'],
    { PEBBLE_VA_NOSLEEP: '1', ...environment },
  )
  // In this process, as NODE_EXTRA_CA_CERTS does for programs.
  setDefaultCACertificates([...TRUSTED, pair.chain])
  let root = ''
  await until(async () => {
    root = await ask(`https://127.0.0.1:${management}/roots/0`, pair.chain)
    return root !== ''
  }, 'pebble answers')
  return {
    ...{ directory: `https://127.0.0.1:${api}/dir`, apiCertificate: pair.chain, root, httpPort, httpsPort },
    pause: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    async close() {
      setDefaultCACertificates(TRUSTED)
      await Promise.all([end(server), end(names)])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function start(program: string, args: string[], environment: Record<string, string> = {}): ChildProcess {
  const { PATH = '' } = process.env
  const child = spawn(program, args, { env: { PATH, ...environment }, stdio: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  // An aborted test must not leave a process running.
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function ask(url: string, ca: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const asked = request(url, { ca }, (response) => void text(response).then(resolve))
  asked.on('error', () => resolve('')).end()
  return promise
}
