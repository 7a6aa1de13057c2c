import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { exchange, startKernel, type TestKernel } from '#test/kernel.ts'
import { webClientRoutes } from './routes.ts'

let folder: string
let kernel: TestKernel
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-web-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html><title>Foyer</title>')
  await writeFile(join(folder, 'dist/favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'dist/.hidden.js'), 'hidden')
  await writeFile(join(folder, 'dist/assets/app-1a2b.js'), 'run()')
  kernel = await startKernel((app) => webClientRoutes(app, join(folder, 'dist')))
})
after(async () => {
  await kernel.app.close()
  await rm(folder, { recursive: true })
})

const navigation = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test('WEB-1: the page is served wherever a browser navigates', async () => {
  for (const path of ['/', '/invite/abc', '/spaces/1/rooms/2?x=1']) {
    const response = await kernel.fetch(path, navigation)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(await response.text(), /<title>Foyer/)
  }
})

test('WEB-1: programs, other methods and the places of the server get 404 as JSON', async () => {
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
    ['/invite/abc', { ...navigation, method: 'POST' }],
  ]
  for (const [path, init] of requests) {
    const response = await kernel.fetch(path, init)
    assert.equal(response.status, 404, path)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(await response.text(), '{"error":"not found"}')
  }
})

test('WEB-1: nothing outside of the folder is served, and nothing hidden', async () => {
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

test('WEB-2: assets may be kept for ever, the page is asked for again', async () => {
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

test('WEB-3: the page runs nothing but its own files, and cannot be framed', async () => {
  const { headers } = await kernel.fetch('/invite/abc', navigation)
  const policy = headers.get('content-security-policy')?.split('; ') ?? []
  for (const rule of [
    "default-src 'self'",
    "script-src 'self'",
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

test('WEB-4: without a built client, the front page says how to build it', async () => {
  const { app, fetch } = await startKernel((app) => webClientRoutes(app, join(folder, 'none')))
  const response = await fetch('/')
  assert.match(await response.text(), /bin\/setup/)
  await app.close()
})
