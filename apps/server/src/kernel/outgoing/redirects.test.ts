import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { Outgoing } from './outgoing.ts'
import { OutgoingError, type OutgoingFault } from './outgoing-error.ts'
import type { OutgoingRequest } from './outgoing-request.ts'

/** The one that is asked, on an address that is allowed; and one on another address of this machine, which is not. */
let outside: HttpTarget
let inside: HttpTarget
let outgoing: Outgoing
let answer: RequestListener

before(async () => {
  outside = await startTarget((request, response) => answer(request, response), '127.0.0.2')
  inside = await startTarget((_request, response) => response.end('secret'), '127.0.0.1', outside.port)
  outgoing = new Outgoing({ allowedPrivateHosts: ['127.0.0.2', '127.0.0.3'] })
})
after(async () => {
  await outgoing.close()
  await outside.close()
  await inside.close()
})
beforeEach(() => {
  outside.requests.length = 0
  inside.requests.length = 0
})

function redirects(location: string, status = 302): RequestListener {
  return ({ url }, response) => {
    if (url === '/end') return response.end('the end')
    return response.writeHead(status, { location }).end()
  }
}

async function send(request: Partial<OutgoingRequest> = {}) {
  const url = new URL(`http://127.0.0.2:${outside.port}/start`)
  const answered = await outgoing.send({ method: 'GET', timeoutMs: 2000, maxRedirects: 3, url, ...request })
  return { ...answered, text: await text(answered.body) }
}

function fails(reason: OutgoingFault): (error: unknown) => boolean {
  return (error) => error instanceof OutgoingError && error.reason === reason
}

test('GUARD-5: a redirect is followed, and the answer has its final URL', async () => {
  answer = redirects('/end')
  const { status, text: body, url } = await send()
  assert.deepEqual([status, body, url.pathname], [200, 'the end', '/end'])
})

test('GUARD-5: a redirect to a private address is refused, however it is written', async () => {
  const { port } = inside
  const inward = [
    ...[
      `http://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      `http://127.1:${port}/`,
      `http://2130706433:${port}/`,
    ],
    ...[
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://localhost:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
    ],
    ...['file:///etc/passwd', `http://user:word@127.0.0.2:${port}/end`],
  ]
  for (const location of inward) {
    for (const status of [301, 302, 303, 307, 308]) {
      answer = redirects(location, status)
      await assert.rejects(send(), fails('blocked'), `${status} ${location}`)
    }
  }
  assert.deepEqual(inside.requests, [])
})

test('GUARD-5: there is no answer past the allowed number of redirects', async () => {
  answer = ({ url = '' }, response) => {
    const left = Number(url.slice(1))
    return left === 0 ? response.end('the end') : response.writeHead(302, { location: `/${left - 1}` }).end()
  }
  const urlOf = (steps: number) => new URL(`http://127.0.0.2:${outside.port}/${steps}`)
  assert.equal((await send({ url: urlOf(3) })).text, 'the end')
  await assert.rejects(send({ url: urlOf(4) }), fails('too_many_redirects'))
  outside.requests.length = 0
  answer = redirects('/again')
  await assert.rejects(send({ maxRedirects: 1 }), fails('too_many_redirects'))
  assert.equal(outside.requests.length, 2)
})

test('GUARD-5: the redirect itself is the answer if none is allowed', async () => {
  answer = redirects('/end')
  const { status, headers } = await send({ maxRedirects: 0 })
  assert.deepEqual([status, headers.location], [302, '/end'])
  const url = new URL(`http://127.0.0.2:${outside.port}/start`)
  const unsaid = await outgoing.send({ method: 'GET', url, timeoutMs: 2000 })
  unsaid.body.destroy()
  assert.equal(unsaid.status, 302)
  assert.equal(outside.requests.length, 2)
})

test('GUARD-5: another origin gets no headers that could be credentials', async () => {
  const secrets = {
    Authorization: 'AWS4',
    cookie: 'a=b',
    'X-Amz-Security-Token': 't',
    'x-api-key': 'k',
    referer: 'r',
  }
  const harmless = { accept: 'image/*', range: 'bytes=0-1', 'User-Agent': 'Foyer' }
  const headers = { ...secrets, ...harmless }
  answer = redirects('/end')
  await send({ headers })
  const [, same] = outside.requests
  assert.equal(same?.headers.authorization, 'AWS4')
  assert.equal(same?.headers.cookie, 'a=b')

  const elsewhere = await startTarget((_request, response) => response.end('elsewhere'), '127.0.0.3')
  answer = redirects(`http://127.0.0.3:${elsewhere.port}/`)
  assert.equal((await send({ headers })).text, 'elsewhere')
  await elsewhere.close()
  const [other] = elsewhere.requests
  assert.deepEqual(
    Object.keys(secrets).filter((name) => other?.headers[name.toLowerCase()] !== undefined),
    [],
  )
  assert.deepEqual([other?.headers.accept, other?.headers.range], ['image/*', 'bytes=0-1'])
  assert.equal(other?.headers['user-agent'], 'Foyer')
})

test('GUARD-5: the method is kept, except that a 303 and a moved POST become GET', async () => {
  const sent = { body: Buffer.from('{}'), headers: { 'content-type': 'application/json' } }
  for (const { method, status, becomes } of [
    { method: 'POST', status: 301, becomes: 'GET' },
    { method: 'POST', status: 302, becomes: 'GET' },
    { method: 'PUT', status: 303, becomes: 'GET' },
    { method: 'POST', status: 307, becomes: 'POST' },
    { method: 'PUT', status: 308, becomes: 'PUT' },
  ]) {
    answer = redirects('/end', status)
    outside.requests.length = 0
    await send({ method, ...sent })
    const [, next] = outside.requests
    const type = becomes === 'GET' ? undefined : 'application/json'
    assert.deepEqual([next?.method, next?.headers['content-type']], [becomes, type], `${method} ${status}`)
  }
  answer = redirects('/end')
  outside.requests.length = 0
  await send({ method: 'HEAD' })
  assert.deepEqual(
    outside.requests.map(({ method }) => method),
    ['HEAD', 'HEAD'],
  )
})

test('GUARD-5: a stream is sent once: a redirect that would need it again is the answer', async () => {
  answer = (request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(307, { location: '/end' }).end())
  }
  const { status } = await send({ method: 'PUT', body: Readable.from([Buffer.from('once')]) })
  assert.equal(status, 307)
  assert.equal(outside.requests.length, 1)
})
