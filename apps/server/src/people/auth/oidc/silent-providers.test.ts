import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { signIn, statusOf } from '#test/scenes/accounts.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { begin, callBack, logInWith } from '#test/sign-in/attack.ts'
import { SignInBrowser } from '#test/sign-in/browser.ts'
import { type HostileProvider, startHostileProvider } from '#test/sign-in/hostile-provider.ts'

let server: TestServer
let provider: HostileProvider

before(async () => {
  provider = await startHostileProvider()
  const { settings } = provider
  const gone = { ...settings, id: 'gone', issuer: 'http://127.0.0.1:1' }
  // An issuer that lies about itself is at another address than the one it names.
  const other = { ...settings, id: 'other', issuer: settings.issuer.replace('127.0.0.1', 'localhost') }
  server = await startOwnServer({ oidcProviders: [settings, gone, other] })
})
afterEach(() => {
  provider.instead = undefined
  provider.metadata = {}
})
after(async () => {
  await server.close()
  await provider.close()
})

async function startAt(id: string): Promise<string> {
  const { headers } = await new SignInBrowser().open(`${server.url}/api/auth/oidc/${id}/start`)
  return headers.get('location') ?? ''
}

test('OIDC-11: with a provider that is down, the server runs, and the page shows what is wrong', async () => {
  assert.equal(await startAt('gone'), '/sign-in?error=provider_unreachable&provider=gone')
  assert.equal(await statusOf(server, await signIn(server, 'ann')), 200)
})

test('OIDC-11: the metadata of another issuer are refused', async () => {
  assert.equal(await startAt('other'), '/sign-in?error=provider_invalid&provider=other')
})

const answers: Record<string, HostileProvider['instead']> = {
  'a page of HTML': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'),
  'an error': (_request, response) => response.writeHead(500).end(),
  'a redirect to itself': (request, response) =>
    response.writeHead(302, { location: request.url ?? '' }).end(),
  'five megabytes': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`["${'x'.repeat(5 * 1024 * 1024)}"]`),
  'a list': (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  'half of JSON': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":'),
}

for (const [name, instead] of Object.entries(answers)) {
  test(`OIDC-11: a provider that answers ${name} is refused`, async () => {
    provider.instead = instead
    assert.equal(await startAt('evil'), '/sign-in?error=provider_invalid&provider=evil')
  })
}

test('OIDC-11: a provider that ends the connection is unreachable', async () => {
  provider.instead = (request) => request.socket.destroy()
  assert.equal(await startAt('evil'), '/sign-in?error=provider_unreachable&provider=evil')
})

test('OIDC-11: a provider that fails after the start is shown on the way back', async () => {
  const begun = await begin(server, provider)
  provider.instead = (request) => request.socket.destroy()
  assert.equal(await callBack(server, provider, begun), 'provider_unreachable')
})

test('OIDC-11: a provider does not lead the server to other hosts of its network', async () => {
  for (const address of [
    'https://127.0.0.1:1/keys',
    'https://169.254.169.254/keys',
    'http://example.org/keys',
  ]) {
    provider.metadata = { jwks_uri: address }
    assert.equal(await logInWith(server, provider), 'provider_invalid', address)
  }
})

test('OIDC-11: a provider does not lead the browser to a script', async () => {
  provider.metadata = { authorization_endpoint: 'javascript:alert(1)' }
  assert.equal(await startAt('evil'), '/sign-in?error=provider_invalid&provider=evil')
})

test('OIDC-11: a provider that answers nothing is given up', { timeout: 30_000 }, async () => {
  provider.instead = () => undefined
  assert.equal(await startAt('evil'), '/sign-in?error=provider_unreachable&provider=evil')
})
