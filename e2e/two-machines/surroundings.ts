import { createHash, X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type RealProvider, startRealProvider } from '../../apps/server/test/sign-in/real-provider.ts'
import { makePair } from '../../apps/server/test/tls/openssl.ts'
import { type Pebble, startPebble } from '../../apps/server/test/tls/pebble.ts'
import { openSecure } from '../../apps/server/test/tls/secure-client.ts'
import { until } from '../../apps/server/test/until.ts'
import { launchBrowser } from '../browser.ts'
import { Machine } from './machine.ts'
import { type Network, openNetwork } from './network.ts'

/** Host names that are in no DNS. With names under .test, HTTPS would be off, because nobody can get certificates for them. */
const NAMES = ['chat.first.example', 'chat.second.example'] as const
const ACCOUNTS = {
  lena: { email: 'lena@example.org', email_verified: true, preferred_username: 'lena' },
}

/** Two machines, and the parts of the internet that they need: names, an ACME server, a provider, and a disk for backups. */
export interface Surroundings {
  machines: readonly [Machine, Machine]
  provider: RealProvider
  /** Folder on a disk that both machines share. */
  backups: string
  /** Lines for the settings of both machines: the ACME server's address, and further certificates to trust. */
  settings: readonly string[]
  /** Reason why both machines share the network of this one. */
  trouble: string | undefined
  /** Waits until the machine has a certificate of the ACME server, and opens a browser that can reach it. */
  openBrowser(machine: Machine): Promise<Browser>
  close(): Promise<void>
}

export async function openSurroundings(): Promise<Surroundings> {
  await using undo = new AsyncDisposableStack()
  const network = undo.adopt(await openNetwork(NAMES), (opened) => opened.close())
  const folder = undo.adopt(await mkdtemp(join(tmpdir(), 'foyer-machines-')), (path) =>
    rm(path, { recursive: true, force: true, maxRetries: 10 }),
  )
  const pebble = undo.adopt(await startPebble({}, acmePlaceOf(network)), (started) => started.close())
  const pair = await makePair(network.address)
  const place = { address: network.address, pair }
  const provider = undo.adopt(await startRealProvider(ACCOUNTS, {}, place), (started) => started.close())
  const make = async (index: 0 | 1) =>
    undo.adopt(await Machine.make(network.places[index], join(folder, NAMES[index])), (made) => made.close())
  const machines = [await make(0), await make(1)] as const
  const [backups, trusted] = [join(folder, 'backups'), join(folder, 'trusted.pem')]
  await mkdir(backups)
  await writeFile(trusted, pebble.apiCertificate + pair.chain)
  const settings = [`ACME_DIRECTORY=${pebble.directory}`, `NODE_EXTRA_CA_CERTS=${trusted}`]
  const openBrowser = (machine: Machine) => browserFor(machine, pebble, keyOf(pair.chain))
  const all = undo.move()
  return {
    ...{ machines, provider, backups, settings, trouble: network.trouble, openBrowser },
    close: () => all.disposeAsync(),
  }
}

function acmePlaceOf({ address, places }: Network) {
  const [{ httpPort, httpsPort }] = places
  const names = Object.fromEntries(places.map((place) => [place.name, place.address]))
  return { address, httpPort, httpsPort, names }
}

async function browserFor({ place }: Machine, { root }: Pebble, providerKey: string): Promise<Browser> {
  const { name, address, httpsPort } = place
  let key = ''
  await until(async () => {
    key = await issuedKey({ address, port: httpsPort, host: name, ca: root }).catch(() => '')
    return key !== ''
  }, `${name} has a certificate of the ACME server`)
  return launchBrowser({
    names: { [name]: `${address}:${httpsPort}` },
    trustedKeys: [key, providerKey],
  })
}

/** Returns the hash of the key in a server's certificate, in Chromium's format. @throws Error if the issuer is not trusted */
async function issuedKey(place: Parameters<typeof openSecure>[0]): Promise<string> {
  const socket = await openSecure(place)
  const certificate = socket.getPeerX509Certificate()
  socket.destroy()
  return certificate === undefined ? '' : keyOf(certificate.raw)
}

function keyOf(certificate: string | Buffer): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
