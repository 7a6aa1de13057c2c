import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { JSHandle, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { noBrowser } from './chromium-files.ts'
import type { ForeignRequest, ForeignScript } from './foreign-script.ts'
import type { Person } from './person.ts'
import { tokensOf } from './signed-in.ts'
import { Stage } from './stage.ts'

/** A page on another port is another origin but the same site, so its requests may carry cookies. */
describe('a page of another origin', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Server
  let mira: Person
  let page: Page
  let foreign: JSHandle<ForeignScript>
  let url: string

  before(async () => {
    stage = await Stage.openOwn({ RATE_LIMITS: 'on' })
    url = stage.program.url
    host = await servePage(await bundled('foreign-script.ts'))
    mira = await stage.person('mira')
    await mira.page.goto('/')
    await mira.signUp()
    await mira.createSpace('Sunday hikers')
    page = await mira.context.newPage()
    await page.goto(`http://127.0.0.1:${portOf(host)}/`)
    foreign = await page.evaluateHandle((): ForeignScript => Reflect.get(globalThis, 'foreign'))
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    host?.close()
  })

  const ask = (path: string, init?: ForeignRequest) =>
    foreign.evaluate((script, [address, options]) => script.ask(address, options), [
      `${url}${path}`,
      init,
    ] as const)

  test('CORS-1: the SDK signs in, uploads, posts and downloads', async () => {
    const done = await foreign.evaluate((script, address) => script.useSdk(address), url)
    const whole = 'what the file holds'
    assert.deepEqual(done, { content: 'hello there', downloads: [whole, whole] })
  })

  test('CORS-4: the page can read error codes, and what is left of a limit', async () => {
    const { code, remaining } = await foreign.evaluate((script, address) => script.readRefusal(address), url)
    assert.equal(code, 'invalid_login')
    assert.match(remaining ?? '', /^\d+$/)
  })

  test('CORS-2: the page cannot use cookies of a signed-in user', async () => {
    const { accessToken } = await tokensOf(mira.page)
    const body = JSON.stringify({ session_id: accessToken.split('.')[2] })
    const headers = { 'content-type': 'application/json', 'x-token-storage': 'cookie' }
    const refresh = { method: 'POST', headers, body }
    const withCookies = { credentials: 'include' } as const
    const own = (init: ForeignRequest) =>
      mira.page.evaluate(async (options) => (await fetch('/api/auth/refresh', options)).status, init)
    assert.equal(await ask('/api/auth/refresh', refresh), 'unreadable')
    assert.equal(await ask('/api/auth/refresh', { ...refresh, ...withCookies }), 'unreadable')
    const { 'x-token-storage': _, ...plain } = headers
    assert.equal(await ask('/api/auth/refresh', { ...refresh, headers: plain }), 400)
    assert.equal(await ask('/api/auth/refresh', { ...refresh, headers: plain, ...withCookies }), 'unreadable')
    const bearer = { headers: { authorization: `Bearer ${accessToken}` } }
    assert.equal(await ask('/api/users/@me', bearer), 401)
    assert.equal(await ask('/api/users/@me', { ...bearer, ...withCookies }), 'unreadable')
    // From the server's own origin, the same request succeeds.
    assert.equal(await own(refresh), 200)
  })

  test('CORS-5: the page can read neither the web client’s page nor metrics', async () => {
    for (const path of ['/', '/metrics', '/worker.js']) assert.equal(await ask(path), 'unreadable')
    assert.equal(await ask('/api/health'), 200)
  })
})

/** Bundles a script of this folder with everything that it imports. */
async function bundled(name: string): Promise<string> {
  const input = fileURLToPath(new URL(name, import.meta.url))
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}

async function servePage(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script type="module" src="/script.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  return address.port
}
