import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { exchange, openSocket, readUntil, startKernel, type TestKernel } from '#test/kernel.ts'
import type { App } from '../types.ts'
import { compileInput } from '../validation.ts'
import { readBody } from './body.ts'

const KIB = 1024
const MIB = 1024 * KIB
const Thing = Type.Object({ name: Type.Optional(Type.String({ minLength: 2, maxLength: 5 })) })

let kernel: TestKernel
let unread: IncomingMessage | undefined
before(async () => {
  kernel = await startKernel(addRoutes, { trustedProxies: ['127.0.0.1'] })
})
after(() => kernel.app.close())

function addRoutes(app: App): void {
  const options = { config: { access: 'public' }, schema: { body: Thing } } as const
  app.post('/things', options, (request) => readBody(request))
  app.post('/proven', options, (request) => {
    request.provenId = 'webhook'
    return readBody(request)
  })
  app.post('/unread', options, ({ raw }) => {
    unread = raw
    return {}
  })
  app.post('/proven-unread', options, (request) => {
    request.provenId = 'webhook'
    unread = request.raw
    return {}
  })
  app.post('/counted', options, async (request) => {
    let turns = 0
    let counting: NodeJS.Immediate | undefined
    const count = () => {
      turns += 1
      counting = setImmediate(count)
    }
    request.raw.once('end', () => {
      counting = setImmediate(count)
    })
    const body = await readBody(request)
    clearImmediate(counting)
    return { body, turns }
  })
}

/** Sends all of a long body but its end, and waits until the server holds it. */
async function holdBody(address: string, bytes = 32 * MIB): Promise<Socket> {
  const held = kernel.app.bodyMemory.heldBytes
  const socket = openSocket(kernel.port)
  socket.write(
    `POST /things HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(bytes - 1, ' '))
  while (kernel.app.bodyMemory.heldBytes < held + bytes - 1) await new Promise(setImmediate)
  return socket
}

async function post(address: string, path = '/things', body = `{"name":"abc"}${' '.repeat(MIB)}`) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const response = await kernel.fetch(path, { method: 'POST', headers, body })
  await response.body?.cancel()
  return response.status
}

async function letGo(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy()
  while (kernel.app.bodyMemory.heldBytes > 0) await new Promise(setImmediate)
}

test('HTTP-7: an address without a credential has 32 MiB for long bodies, and others have their own', async () => {
  const held = await holdBody('192.0.2.1')
  assert.equal(await post('192.0.2.1'), 503)
  assert.equal(await post('192.0.2.1', '/things', '{"name":"abc"}'), 200)
  assert.equal(await post('192.0.2.2'), 200)
  await letGo([held])
  assert.equal(await post('192.0.2.1'), 200)
})

test('HTTP-7: an IPv6 network counts as one address', async () => {
  const held = await holdBody('2001:db8:1:1::1')
  assert.equal(await post('2001:db8:1:1::2'), 503)
  assert.equal(await post('2001:db8:1:2::1'), 200)
  await letGo([held])
})

test('HTTP-7: strangers who fill their part of the memory do not affect users with a token', async () => {
  const held = [await holdBody('192.0.2.1'), await holdBody('192.0.2.2')]
  const more = await holdBody('192.0.2.3', 60 * 1024)
  assert.equal(await post('192.0.2.4'), 503)
  assert.equal(await post('192.0.2.4', '/proven'), 200)
  await letGo([...held, more])
  assert.equal(await post('192.0.2.4'), 200)
})

test('HTTP-19: a body that stalls is 408 after 15 s, and one that keeps its pace is read', {
  timeout: 30_000,
}, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const slow = await holdBody('192.0.2.1', 200 * 1024)
  const steady = await holdBody('192.0.2.2', 200 * 1024)
  context.mock.timers.tick(15_000)
  steady.write(' ')
  assert.match(await readUntil(steady, /\}$/), /^HTTP\/1\.1 400 .*x-error-code: invalid_json/is)
  context.mock.timers.tick(15_000)
  assert.match(await readUntil(slow, /\}$/), /^HTTP\/1\.1 408 .*x-error-code: request_timeout/is)
  await once(slow.resume(), 'close')
  await letGo([steady])
})

/** Sends a body of 8 MiB. */
function sendLong(path: string): Socket {
  const socket = openSocket(kernel.port)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${8 * MIB}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(8 * MIB, ' '))
  return socket
}

/** Waits until other requests see as much of the body as before. */
async function settledBytes(): Promise<number> {
  let before = -1
  while (kernel.app.bodyMemory.heldBytes !== before) {
    before = kernel.app.bodyMemory.heldBytes
    for (let turn = 0; turn < 50; turn += 1) await exchange(kernel.port, 'GET / HTTP/1.0\r\n\r\n')
  }
  return before
}

test('HTTP-22: a long body is held back without a credential, and not with one', {
  timeout: 60_000,
}, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const known = sendLong('/proven')
  assert.match(await readUntil(known, /\}$/), /^HTTP\/1\.1 400 .*x-error-code: invalid_json/is)
  const stranger = sendLong('/things')
  while (kernel.app.bodyMemory.heldBytes < 256 * KIB) await new Promise(setImmediate)
  const held = await settledBytes()
  // Neither read on nor, as a body that was read is, answered and released.
  assert.ok(held >= 256 * KIB && held < 512 * KIB, `${held}`)
  let isAnswered = false
  const answer = readUntil(stranger, /\}$/).finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    context.mock.timers.tick(1000)
    await new Promise(setImmediate)
  }
  assert.match(await answer, /^HTTP\/1\.1 400 .*x-error-code: invalid_json/is)
  known.destroy()
  stranger.destroy()
})

test('HTTP-22: a long body that is not read is held back without a credential, and not with one', {
  timeout: 60_000,
}, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const known = sendLong('/proven-unread')
  assert.match(await readUntil(known, /\}$/), /^HTTP\/1\.1 200 /)
  while (unread?.complete === false) await new Promise(setImmediate)
  const stranger = sendLong('/unread')
  assert.match(await readUntil(stranger, /\}$/), /^HTTP\/1\.1 200 /)
  for (let turn = 0; turn < 100; turn += 1) await exchange(kernel.port, 'GET / HTTP/1.0\r\n\r\n')
  assert.equal(unread?.complete, false)
  assert.equal(unread.destroyed, false)
  known.destroy()
  stranger.destroy()
})

test('HTTP-20: other work has its turn between the steps on a long body', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = `{"name":"abc"}${' '.repeat(MIB)}`
  const response = await kernel.fetch('/counted', { method: 'POST', headers, body })
  const answer: { body: unknown; turns: number } = JSON.parse(await response.text())
  assert.deepEqual(answer.body, { name: 'abc' })
  assert.ok(answer.turns >= 3, `${answer.turns} turns`)
})

test('HTTP-20: refusing a text that is too long takes the same time for any length', () => {
  const isValid = compileInput(Thing)
  const name = 'x'.repeat(16 * MIB)
  const cpuOf = (work: () => void) => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  const refusing = cpuOf(() => {
    for (let round = 0; round < 5; round += 1) assert.equal(isValid({ name }), false)
  })
  const counting = cpuOf(() => {
    let points = 0
    for (const _point of name) points += 1
    assert.equal(points, name.length)
  })
  assert.ok(refusing < counting / 10, `${refusing} of ${counting} µs`)
})
