import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { exchange, startKernel, type TestKernel } from '#test/kernel.ts'
import type { PageSettings } from './page-headers.ts'
import { webClientRoutes } from './routes.ts'

const settings = { publicUrl: undefined, allowedPrivateHosts: [], voice: { livekit: undefined } }

let folder: string
let kernel: TestKernel
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-web-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html><title>Foyer</title>')
  await writeFile(join(folder, 'dist/favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'dist/worker.js'), 'work()')
  await writeFile(join(folder, 'dist/manifest.webmanifest'), '{}')
  await writeFile(join(folder, 'dist/icon-192.png'), 'png')
  await writeFile(join(folder, 'dist/.hidden.js'), 'hidden')
  await writeFile(join(folder, 'dist/assets/app-1a2b.js'), 'run()')
  await writeFile(join(folder, 'dist/assets/large-3c4d.js'), 'run()')
  await writeFile(join(folder, 'dist/sound-frame.html'), '<!doctype html>')
  await writeFile(join(folder, 'dist/assets/rnnoise-7a8b.wasm'), 'wasm')
  await writeFile(join(folder, 'dist/assets/large-3c4d.js.br'), 'brotli')
  await writeFile(join(folder, 'dist/assets/large-3c4d.js.gz'), 'gzipped')
  kernel = await startKernel(async (app) => {
    app.post('/api/things/:id', { config: { access: 'public' } }, async () => ({ ok: true }))
    await webClientRoutes(app, settings, client('dist'))
  })
})
after(async () => {
  await kernel.app.close()
  await rm(folder, { recursive: true })
})

/** Serves the client without any invite. */
function client(name: string) {
  return { folder: join(folder, name), findInvite: async () => undefined }
}

const navigation = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test('WEB-1: the page is served wherever a browser navigates', async () => {
  for (const path of ['/', '/invite/abc', '/spaces/1/rooms/2?x=1']) {
    const response = await kernel.fetch(path, navigation)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(await response.text(), /<title>Foyer/)
  }
})

test('WEB-1: programs, other methods and the server’s own paths get 404 as JSON', async () => {
  const requests: [string, RequestInit][] = [
    ['/api/nothing', navigation],
    ['/api', navigation],
    ['/api/nothing.js', navigation],
    ['/gateway', navigation],
    ['/metrics/x', navigation],
    ['/attachments/x.png', navigation],
    ['/storage/x', navigation],
    ['/nothing', {}],
    ['/nothing.js', navigation],
    ['/nothing', { ...navigation, method: 'POST' }],
  ]
  for (const [path, init] of requests) {
    const response = await kernel.fetch(path, init)
    assert.equal(response.status, 404, path)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(await response.text(), '{"error":"not found"}')
  }
})

test('HTTP-23: a wrong method is 405, and Allow names the right ones, for the API and the client', async () => {
  const wrong = [
    ['GET', '/api/things/1', 'POST'],
    ['HEAD', '/api/things/1', 'POST'],
    ['POST', '/invite/abc', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ] as const
  for (const [method, path, allow] of wrong) {
    const { status, headers } = await kernel.fetch(path, { ...navigation, method })
    assert.deepEqual([status, headers.get('allow')], [405, allow], `${method} ${path}`)
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

test('WEB-1: nothing outside of the folder is served, and no hidden file', async () => {
  for (const path of [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/.hidden.js',
  ]) {
    const answer = await exchange(kernel.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 40[04] [\s\S]*\{"error":"[^"]+"\}$/)
  }
})

test('WEB-2: assets may be cached forever, and the page must be revalidated', async () => {
  const asset = await kernel.fetch('/assets/app-1a2b.js')
  assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(await asset.text(), 'run()')
  const icon = await kernel.fetch('/favicon.svg')
  assert.deepEqual([icon.status, icon.headers.get('cache-control')], [200, 'no-cache'])
  const page = await kernel.fetch('/', navigation)
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  const again = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIf-None-Match: ${page.headers.get('etag')}\r\n\r\n`
  assert.match(await exchange(kernel.port, again), /^HTTP\/1\.1 304 /)
})

test('WEB-7: a browser gets the compressed file that it accepts, and others the file itself', async () => {
  const sent = async (accepted: string) => {
    const head = `GET /assets/large-3c4d.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`
    const answer = await exchange(kernel.port, head)
    const header = (name: string) => new RegExp(`^${name}: (.*)\r`, 'im').exec(answer)?.[1]
    return [header('content-encoding'), header('content-type'), header('vary'), answer.split('\r\n\r\n')[1]]
  }
  const type = 'application/javascript; charset=utf-8'
  assert.deepEqual(await sent('gzip, deflate, br'), ['br', type, 'accept-encoding', 'brotli'])
  assert.deepEqual(await sent('gzip'), ['gzip', type, 'accept-encoding', 'gzipped'])
  assert.deepEqual(await sent('identity'), [undefined, type, 'accept-encoding', 'run()'])
})

test('WEB-3: the page runs only its own files, and cannot be framed', async () => {
  const { headers } = await kernel.fetch('/invite/abc', navigation)
  const policy = headers.get('content-security-policy')?.split('; ') ?? []
  for (const rule of [
    "default-src 'self'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]) {
    assert.ok(policy.includes(rule), rule)
  }
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
  assert.match(headers.get('permissions-policy') ?? '', /microphone=\(self\)/)
})

test('WEB-5: pictures, media and uploads may be at any web address, and nothing else', async () => {
  const { headers } = await kernel.fetch('/', navigation)
  const policy = headers.get('content-security-policy')?.split('; ') ?? []
  const open = policy.filter((rule) => / https?:( |$)/.test(rule)).map((rule) => rule.split(' ')[0])
  assert.deepEqual(open.sort(), ['connect-src', 'img-src', 'media-src'])
  assert.equal(policy.filter((rule) => /\*|unsafe/.test(rule)).length, 0)
})

test('QUIET-6: one empty page may run WebAssembly, only in a frame of the client, and neither the client nor another file', async () => {
  const policyOf = async (path: string) => {
    const { headers } = await kernel.fetch(path, path === '/' ? navigation : {})
    return headers.get('content-security-policy')
  }
  assert.equal(
    await policyOf('/sound-frame.html'),
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  )
  for (const path of ['/', '/index.html', '//index.html', '/worker.js']) {
    const policy = (await policyOf(path)) ?? ''
    assert.match(policy, /frame-ancestors/, path)
    assert.doesNotMatch(policy, /wasm/)
  }
  for (const path of ['/assets/app-1a2b.js', '/assets/rnnoise-7a8b.wasm', '/favicon.svg'])
    assert.equal(await policyOf(path), null, path)
  const library = await kernel.fetch('/assets/rnnoise-7a8b.wasm')
  assert.equal(library.headers.get('content-type'), 'application/wasm')
})

test('WEB-6: the worker and the files for installation must be revalidated, and the worker may do no more than the page', async () => {
  const types = {
    '/worker.js': 'application/javascript; charset=utf-8',
    '/manifest.webmanifest': 'application/manifest+json',
    '/icon-192.png': 'image/png',
  }
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await kernel.fetch(path)
    const found = [status, headers.get('content-type'), headers.get('cache-control')]
    assert.deepEqual(found, [200, type, 'no-cache'], path)
  }
  const policies = await Promise.all(
    ['/worker.js', '/'].map(async (path) => {
      const { headers } = await kernel.fetch(path, navigation)
      return headers.get('content-security-policy')
    }),
  )
  assert.ok(policies[0] !== null)
  assert.equal(policies[0], policies[1])
})

/** Returns the page's connect-src with some settings. */
async function connectSources(changed: Partial<PageSettings>): Promise<string[]> {
  const given = { ...settings, ...changed }
  const { app, fetch } = await startKernel((app) => webClientRoutes(app, given, client('dist')))
  const { headers } = await fetch('/', navigation)
  await app.close()
  const rule = headers
    .get('content-security-policy')
    ?.split('; ')
    .find((part) => part.startsWith('connect-src '))
  return rule?.split(' ').slice(1) ?? []
}

test('WEB-5: a page over https sends only to https, and opens WebSockets only to the server and its LiveKit', async () => {
  const livekit = { url: 'wss://livekit.example.org/rtc', apiKey: 'a', apiSecret: 'b' }
  const publicUrl = 'https://chat.example.org'
  const own = ["'self'", 'https:', 'wss://chat.example.org', 'https://chat.example.org']
  assert.deepEqual(await connectSources({ publicUrl }), own)
  assert.deepEqual(await connectSources({ publicUrl, voice: { livekit } }), [
    ...own,
    'wss://livekit.example.org',
    'https://livekit.example.org',
  ])
  assert.deepEqual(await connectSources({}), ["'self'", 'https:', 'http:'])
  const withHosts = await connectSources({ publicUrl, allowedPrivateHosts: ['10.0.0.5'] })
  assert.deepEqual(withHosts.slice(0, 3), ["'self'", 'https:', 'http:'])
})

test('WEB-4: without a built client, the front page says how to build it', async () => {
  const { app, fetch } = await startKernel((app) => webClientRoutes(app, settings, client('none')))
  const response = await fetch('/')
  assert.match(await response.text(), /bin\/setup/)
  await app.close()
})
