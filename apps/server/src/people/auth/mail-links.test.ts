import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { awaitMail } from '#test/outside/mailbox.ts'
import { credentialOf, emailOf, signIn } from '#test/scenes/accounts.ts'
import { createPerson } from '#test/scenes/people.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let ownPort: string

before(async () => {
  server = await startTestServer()
  ownPort = new URL(server.url).port
})
after(() => server.close())

interface Asked {
  path: string
  host: string
  body?: object
  headers?: Record<string, string>
}

/** Sends a request with a Host of the test's choice to 127.0.0.1. */
async function ask(
  { url }: TestServer,
  { path, host, body, headers = {} }: Asked,
): Promise<number | undefined> {
  const sent = request(`${url}/api/auth/${path}`, {
    method: 'POST',
    headers: { ...headers, host, ...(body && { 'content-type': 'application/json' }) },
  })
  sent.end(body && JSON.stringify(body))
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

/** Returns the origin of the link in the latest of the address's mails with the subject. */
async function linkedTo(at: TestServer, address: string, subject: string, count = 1): Promise<string> {
  const mail = await awaitMail(at, address, { subject, count })
  return /^(http:\/\/[^/]+)\/[a-z-]+\?token=/m.exec(mail)?.[1] ?? mail
}

async function signUpAt(at: TestServer, username: string, host: string): Promise<string> {
  const body = { username, email: emailOf(username), password: TEST_PASSWORD }
  assert.equal(await ask(at, { path: 'signin', host, body }), 200)
  return linkedTo(at, emailOf(username), 'Verify')
}

test('MAIL-7: links have the name of this machine that the request was sent to, and always the own port', async () => {
  const expected = `http://localhost:${ownPort}`
  assert.equal(await signUpAt(server, 'ann', `localhost:${ownPort}`), expected)
  assert.equal(await signUpAt(server, 'anna', 'localhost:6666'), expected)
  assert.equal(await signUpAt(server, 'anne', `127.0.0.1:${ownPort}`), server.url)
  const tokens = await signIn(server, 'bea')
  // Otherwise the mail of the sign-up may come after the next one.
  assert.equal(await linkedTo(server, emailOf('bea'), 'Verify'), server.url)
  const headers = credentialOf(tokens)
  const host = `localhost:${ownPort}`
  const email = 'bea@example.net'
  assert.equal(await ask(server, { path: 'verify/send', host, headers }), 204)
  assert.equal(await linkedTo(server, emailOf('bea'), 'Verify', 2), expected)
  assert.equal(await ask(server, { path: 'reset-password/send', host, headers }), 204)
  assert.equal(await linkedTo(server, emailOf('bea'), 'Set a new'), expected)
  assert.equal(await ask(server, { path: 'forgot-password', host, body: { email: emailOf('bea') } }), 204)
  assert.equal(await linkedTo(server, emailOf('bea'), 'Set a new', 2), expected)
  const body = { email, password: TEST_PASSWORD }
  assert.equal(await ask(server, { path: 'change-email/send', host, headers, body }), 204)
  assert.equal(await linkedTo(server, email, 'Confirm'), expected)
})

test('MAIL-7: no other Host gets into a mail', async () => {
  const strange = [
    'evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example:80',
    '127.0.0.2',
    // The request came to 127.0.0.1: another program may listen at this address.
    `[::1]:${ownPort}`,
    '',
  ]
  for (const [index, host] of strange.entries()) {
    // An address may only ask a few times.
    const username = `cleo${index}`
    await createPerson(server, username)
    const headers = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' }
    const body = { email: emailOf(username) }
    assert.equal(await ask(server, { path: 'forgot-password', host, headers, body }), 204, host)
    assert.equal(await linkedTo(server, emailOf(username), 'Set a new'), server.url, host)
  }
})

test('MAIL-7: with a PUBLIC_URL every link leads there', async () => {
  await using stack = new AsyncDisposableStack()
  const publicUrl = 'http://127.0.0.1:4567'
  const other = await startTestServer({ publicUrl })
  stack.defer(() => other.close())
  assert.equal(await signUpAt(other, 'dora', 'localhost:4567'), publicUrl)
})
