import type { HttpDeps } from '#src/kernel/http/server.ts'
import type { App } from '#src/kernel/http/types.ts'
import { createLog } from '#src/kernel/log.ts'
import { Front } from '#src/kernel/tls/front.ts'
import { checkPair } from '#src/kernel/tls/pair.ts'
import type { FileTls } from '#src/kernel/tls/settings.ts'
import { startKernel, type TestKernel } from '../kernel.ts'
import { freePort } from '../valkey/valkey.ts'
import { makePair } from './openssl.ts'
import type { SecurePlace } from './secure-client.ts'

export interface TestFront extends TestKernel {
  front: Front
  /** Address of the HTTPS port. */
  place: SecurePlace
  httpPort: number
}

export const FRONT_HOST = 'chat.example.org'

/** Returns settings for free ports of this machine. */
export async function freeFileTls(): Promise<FileTls> {
  const [httpsPort = 0, httpPort = 0] = await Promise.all([freePort(), freePort()])
  return {
    kind: 'files',
    ...{ host: FRONT_HOST, origin: `https://${FRONT_HOST}`, httpsPort, httpPort, listenHost: '127.0.0.1' },
    ...{ certificate: '', key: '' },
  }
}

/** Starts the HTTP kernel alone, with HTTPS. */
export async function startFront(
  addRoutes: (app: App) => void,
  changes: Partial<HttpDeps> = {},
): Promise<TestFront> {
  const settings = await freeFileTls()
  const kernel = await startKernel(addRoutes, changes)
  const log = createLog('trace', { write: (line) => kernel.lines.push(line) })
  // With challenges, as for ACME, the server inspects the beginning of each connection.
  const challenges = { answer: async () => undefined, certificate: async () => undefined }
  const front = await Front.open({ app: kernel.app, settings, log, challenges })
  const pair = await makePair(FRONT_HOST)
  front.use(checkPair(pair))
  const place = { port: settings.httpsPort, host: FRONT_HOST, ca: pair.chain }
  return { ...kernel, front, place, httpPort: settings.httpPort }
}
