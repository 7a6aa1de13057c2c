import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { codeOf, credentialOf, emailOf, send, signIn } from '#test/scenes/accounts.ts'
import { createBot } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import type { SignInBrowser } from '#test/sign-in/browser.ts'
import { startHostileProvider } from '#test/sign-in/hostile-provider.ts'
import { logInAs, type SignInScene, signUpAs, startSignInScene } from '#test/sign-in/scene.ts'

const path = '/api/auth/oidc/logout'

let scene: SignInScene

before(async () => {
  const ann = { email: emailOf('ann'), email_verified: true, preferred_username: 'ann' }
  scene = await startSignInScene({ ann })
})
after(() => scene.close())

async function pageFor(server: TestServer, headers: Record<string, string>): Promise<unknown> {
  const { status, body } = await send(server, 'GET', path, { headers })
  assert.equal(status, 200)
  return Object(body).url
}

/** Confirms the log-out on the page of the provider. @returns where that leads */
async function confirm(browser: SignInBrowser, url: string): Promise<string | null> {
  const page = await (await browser.open(url)).text()
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const body = new URLSearchParams({ xsrf, logout: 'yes' })
  return (await browser.open(action, { method: 'POST', body })).headers.get('location')
}

test('OIDC-17: a session of a provider ends there, too, and the browser comes back', async () => {
  const { server } = scene
  await signUpAs(scene, 'ann')
  const { browser, headers } = await logInAs(scene, 'ann')
  const own = await send(server, 'GET', '/api/users/@me/identities', { headers })
  assert.deepEqual(Object(own.body).session_provider, { id: 'main', name: 'Main login' })
  const url = await pageFor(server, headers)
  assert.ok(typeof url === 'string')
  const { searchParams } = new URL(url)
  assert.equal(searchParams.get('client_id'), 'foyer')
  assert.equal(searchParams.get('post_logout_redirect_uri'), `${server.url}/`)
  assert.deepEqual(await codeOf(send(server, 'POST', '/api/auth/logout', { headers })), [204, null])
  assert.equal(await confirm(browser, url), `${server.url}/`)
  const again = await browser.open(`${server.url}/api/auth/oidc/main/start`)
  const login = await browser.open(again.headers.get('location') ?? '')
  assert.match(login.headers.get('location') ?? '', /\/interaction\//, 'the provider asks who it is')
})

test('OIDC-17: a session of another kind has no such page, and strangers and bots get none', async () => {
  const { server } = scene
  const headers = credentialOf(await signIn(server, 'bob'))
  assert.equal(await pageFor(server, headers), null)
  const own = await send(server, 'GET', '/api/users/@me/identities', { headers })
  assert.equal(Object(own.body).session_provider, null)
  assert.deepEqual(await codeOf(send(server, 'GET', path)), [401, 'authentication_required'])
  const bot = await createBot(server, 'robot')
  const asBot = send(server, 'GET', path, { headers: { ...bot.credentials } })
  assert.deepEqual(await codeOf(asBot), [403, 'bots_not_allowed'])
})

test('OIDC-17: a provider without the page, that names a script, or that is down leaves the log-out here', async () => {
  const provider = await startHostileProvider()
  const server = await startOwnServer({ oidcProviders: [provider.settings] })
  try {
    const tokens = await signIn(server, 'ada')
    const headers = credentialOf(tokens)
    await server.deps.database.execute(sql`
      update sessions set issuer = ${provider.settings.issuer}, subject = 'mallory'
      where user_id = ${tokens.user.id}`)
    assert.equal(await pageFor(server, headers), null)
    provider.metadata = { end_session_endpoint: 'javascript:alert(1)' }
    assert.equal(await pageFor(server, headers), null)
    provider.metadata = { end_session_endpoint: `${provider.settings.issuer}/end` }
    assert.match(String(await pageFor(server, headers)), /\/end\?/)
    provider.instead = (_request, response) => response.writeHead(500).end()
    assert.equal(await pageFor(server, headers), null)
  } finally {
    await server.close()
    await provider.close()
  }
})
