import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { Outgoing } from './outgoing.ts'
import { OutgoingError, type OutgoingFault } from './outgoing-error.ts'
import type { OutgoingRequest } from './outgoing-request.ts'

/** Long enough for a machine that stalls for a moment. */
const TIMEOUT_MS = 2000
/** Sent an eighth of that time apart, they take longer than it. */
const PARTS = Array.from({ length: 10 }, (_, index) => `part ${index} `)

let target: HttpTarget
let outgoing: Outgoing
/** By the paths that the tests ask for. */
const answers = new Map<string, RequestListener>()

before(async () => {
  target = await startTarget((request, response) => answers.get(request.url ?? '')?.(request, response))
  outgoing = new Outgoing({ allowedPrivateHosts: ['127.0.0.1'] })
})
after(async () => {
  await outgoing.close()
  await target.close()
})

/** Has the target answer a request of the test's own. */
function send(answer: RequestListener, request: Partial<OutgoingRequest> = {}) {
  const path = `/${answers.size}`
  answers.set(path, answer)
  const url = new URL(`http://127.0.0.1:${target.port}${path}`)
  return outgoing.send({ method: 'GET', url, timeoutMs: TIMEOUT_MS, ...request })
}

function fails(reason: OutgoingFault): (error: unknown) => boolean {
  return (error) => error instanceof OutgoingError && error.reason === reason
}

/** Most of these tests wait for a timeout, so they run at the same time. */
describe('limits of time and size', { concurrency: true }, () => {
  test('GUARD-6: a host that does not begin to answer in time is given up', async () => {
    const closed = Promise.withResolvers<void>()
    const silent: RequestListener = (_request, response) => response.on('close', closed.resolve)
    await assert.rejects(send(silent), fails('timeout'))
    await closed.promise
  })

  test('GUARD-6: headers that trickle in gain no time', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x: y\r\n'), 50)
      socket.on('close', () => clearInterval(timer))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    const url = new URL(`http://127.0.0.1:${address.port}/`)
    await assert.rejects(send(noAnswer, { url }), fails('timeout'))
    server.close()
  })

  test('GUARD-6: a host that falls silent in the middle is given up', async () => {
    const { body } = await send((_request, response) => response.write('beginning'))
    await assert.rejects(text(body), fails('timeout'))
  })

  test('GUARD-6: a slow but steady host is waited for', async () => {
    const { body } = await send(async (_request, response) => {
      for (const part of PARTS) {
        response.write(part)
        await delay(TIMEOUT_MS / 8)
      }
      response.end()
    })
    assert.equal(await text(body), PARTS.join(''))
  })

  test('GUARD-6: a body that is sent slowly is not silence', async () => {
    const slow = new PassThrough()
    const answered = send(sendBack, { method: 'PUT', body: slow })
    for (const part of PARTS) {
      slow.write(part)
      await delay(TIMEOUT_MS / 8)
    }
    slow.end()
    assert.equal(await text((await answered).body), PARTS.join(''))
  })

  test('GUARD-6: a body that stalls is silence', async () => {
    const stuck = new PassThrough()
    stuck.write('one')
    await assert.rejects(send(sendBack, { method: 'PUT', body: stuck }), fails('timeout'))
    assert.ok(stuck.destroyed)
  })

  test('GUARD-6: a caller who reads slowly is not silence', async () => {
    const bytes = Buffer.alloc(8 * 1024 * 1024, 'x')
    const { body } = await send((_request, response) => response.end(bytes))
    await delay(2 * TIMEOUT_MS)
    assert.ok((await buffer(body)).equals(bytes))
  })
})

const noAnswer: RequestListener = () => undefined

const sendBack: RequestListener = (request, response) => {
  text(request).then(
    (body) => response.end(body),
    () => response.destroy(),
  )
}

test('GUARD-6: no more is read than is accepted, whether the length was announced or not', async () => {
  const short: RequestListener = (_request, response) => response.end('12345')
  assert.equal(await text((await send(short, { maxBytes: 5 })).body), '12345')
  await assert.rejects(send(short, { maxBytes: 4 }), fails('too_large'))
  const closed = Promise.withResolvers<void>()
  const { body } = await send(
    (_request, response) => {
      response.on('close', closed.resolve)
      Readable.from(endless()).pipe(response)
    },
    { maxBytes: 1000 },
  )
  await assert.rejects(buffer(body), fails('too_large'))
  await closed.promise
})

test('GUARD-6: a wrong announced length is a failure, not a shorter answer', async () => {
  const { body } = await send((_request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('12345', () => response.destroy())
  })
  await assert.rejects(text(body), fails('unreachable'))
})

test('GUARD-6: a caller can cancel a request, before the answer and in the middle of it', async () => {
  const reason = new Error('not needed')
  const ends: Promise<unknown>[] = []
  const begin: RequestListener = (_request, response) => {
    ends.push(once(response, 'close'))
    response.write('beginning')
  }
  const aborted = new AbortController()
  const { body } = await send(begin, { signal: aborted.signal })
  aborted.abort(reason)
  await assert.rejects(text(body), (error) => error === reason)
  await assert.rejects(send(begin, { signal: aborted.signal }), (error) => error === reason)
  ;(await send(begin)).body.destroy()
  await Promise.all(ends)
  assert.equal(ends.length, 2)
  const waiting = new AbortController()
  const never: RequestListener = (_request, response) => {
    ends.push(once(response, 'close'))
    waiting.abort(reason)
  }
  await assert.rejects(send(never, { signal: waiting.signal }), (error) => error === reason)
  await Promise.all(ends)
  assert.equal(ends.length, 3)
})

test('GUARD-6: a closed port and a host that does not speak HTTP are failures', async () => {
  const broken = [
    { url: new URL('http://127.0.0.1:1/') },
    { url: new URL(`https://127.0.0.1:${target.port}/`) },
    { headers: { 'x-broken': 'a\r\nb: c' } },
  ]
  for (const request of broken) await assert.rejects(send(noAnswer, request), fails('unreachable'))
})

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(1000)
}
