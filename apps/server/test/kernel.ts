import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { createHttp, type HttpDeps } from '#src/kernel/http/server.ts'
import type { App } from '#src/kernel/http/types.ts'
import { createLog } from '#src/kernel/log.ts'
import { createMetrics } from '#src/kernel/metrics.ts'
import { TempFolder } from '#src/kernel/temp-folder.ts'

export interface TestKernel {
  app: App
  url: string
  port: number
  /** Lines of the log. */
  lines: string[]
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Starts the HTTP kernel alone, with the given routes. It accepts no credentials. */
export async function startKernel(
  addRoutes: (app: App) => void | Promise<void>,
  changes: Partial<HttpDeps> = {},
): Promise<TestKernel> {
  const lines: string[] = []
  const tempFolder = new TempFolder(join(tmpdir(), 'foyer-test-kernel'))
  const app = createHttp({
    log: createLog('trace', { write: (line) => lines.push(line) }),
    credentials: { authenticate: async () => undefined },
    secondFactorRules: { bars: async () => false },
    metrics: createMetrics(),
    rateCounters: undefined,
    loadGuard: { isOverwhelmed: false },
    trustedProxies: [],
    connectionBounds: undefined,
    formSpace: new FormSpace(tempFolder),
    ...changes,
  })
  app.addHook('onClose', () => tempFolder.close())
  await addRoutes(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, url, port: Number(new URL(url).port), lines, fetch: (path, init) => fetch(url + path, init) }
}

export function openSocket(port: number): Socket {
  return connect({ port, host: '127.0.0.1' })
}

/** Sends raw bytes and returns everything received until the server closes the connection. */
export async function exchange(port: number, request: string): Promise<string> {
  const socket = openSocket(port)
  socket.write(request)
  return text(socket)
}

/** Reads from the socket until the text received matches, and returns that text. */
export async function readUntil(socket: Socket, pattern: RegExp): Promise<string> {
  let all = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    all += String(chunk)
    if (pattern.test(all)) return all
  }
  throw new Error(`closed after: ${all}`)
}
