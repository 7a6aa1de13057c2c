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

/** Let's Encrypt's test server, and a DNS server in which every name points to this machine. */
export interface Pebble {
  /** Address for ACME_DIRECTORY. */
  directory: string
  /** The certificate of pebble's own API, for NODE_EXTRA_CA_CERTS. */
  apiCertificate: string
  /** Root certificate of the certificates that pebble issues. */
  root: string
  /** Ports at which pebble validates challenges. */
  httpPort: number
  httpsPort: number
  /** Suspends pebble: connections still open, but nothing is answered. */
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

/** Validity of certificates, as at Let's Encrypt. */
const VALIDITY_SECONDS = 90 * 24 * 60 * 60
const LOOPBACK = '127.0.0.1'
const TRUSTED = getCACertificates('default')

/** Address of pebble, and ports of the servers that it validates. */
export interface AcmePlace {
  /** Address of this machine on which pebble listens. */
  address: string
  /** Ports at which pebble validates challenges. */
  httpPort: number
  httpsPort: number
  /** IP addresses by host name, for pebble's DNS; if omitted, every name points to this machine. */
  names?: Readonly<Record<string, string>>
}

/**
 * @param environment failures to inject, such as PEBBLE_WFE_NONCEREJECT
 * @param place addresses and ports; by default, free ports on the loopback address
 */
export async function startPebble(
  environment: Record<string, string> = {},
  place?: AcmePlace,
): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-pebble-'))
  const { address, httpPort, httpsPort, names } = place ?? (await localPlace())
  const [api = 0, management = 0] = await Promise.all([freePort(), freePort()])
  const pair = await makePair(address)
  const [certificate, privateKey] = [join(folder, 'api.pem'), join(folder, 'api.key')]
  await writeFile(certificate, pair.chain)
  await writeFile(privateKey, pair.key)
  const pebble = {
    ...{ listenAddress: `${address}:${api}`, managementListenAddress: `${address}:${management}` },
    ...{ certificate, privateKey, httpPort, tlsPort: httpsPort, ocspResponderURL: '' },
    domainBlocklist: ['blocked.example.org'],
    certificateValidityPeriod: VALIDITY_SECONDS,
  }
  await writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble }))
  const dns = await startNames(names)
  const server = start(
    'pebble',
    ['-config', join(folder, 'pebble.json'), '-dnsserver', dns.address, '-strict'],
    { PEBBLE_VA_NOSLEEP: '1', ...environment },
  )
  // Trusts pebble's certificate in this process, as NODE_EXTRA_CA_CERTS does in other programs.
  setDefaultCACertificates([...TRUSTED, pair.chain])
  let root = ''
  await until(async () => {
    root = await ask(`https://${address}:${management}/roots/0`, pair.chain)
    return root !== ''
  }, 'pebble answers')
  return {
    ...{ directory: `https://${address}:${api}/dir`, apiCertificate: pair.chain, root, httpPort, httpsPort },
    pause: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    async close() {
      setDefaultCACertificates(TRUSTED)
      await Promise.all([end(server), dns.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function localPlace(): Promise<AcmePlace> {
  const [httpPort, httpsPort] = await Promise.all([freePort(), freePort()])
  return { address: LOOPBACK, httpPort, httpsPort }
}

/** Starts pebble's DNS server. It resolves only these names or, without any, every name to this machine. */
async function startNames(names: Readonly<Record<string, string>> | undefined) {
  const [dns, management] = await Promise.all([freePort(), freePort()])
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const child = start('pebble-challtestsrv', [
    ...none,
    ...['-dns01', `${LOOPBACK}:${dns}`, '-defaultIPv4', names === undefined ? LOOPBACK : ''],
    ...['-management', `${LOOPBACK}:${management}`],
  ])
  for (const [host, address] of Object.entries(names ?? {}))
    await until(async () => {
      const body = JSON.stringify({ host, addresses: [address] })
      const answer = await fetch(`http://${LOOPBACK}:${management}/add-a`, { method: 'POST', body }).catch(
        () => undefined,
      )
      return answer?.ok === true
    }, `the DNS server knows ${host}`)
  return { address: `${LOOPBACK}:${dns}`, close: () => end(child) }
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
