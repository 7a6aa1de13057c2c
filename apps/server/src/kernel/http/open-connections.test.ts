import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { exchange, openSocket, readUntil, startKernel } from '#test/kernel.ts'
import { startChildServer } from '#test/processes/child-server.ts'
import { startSharedServer } from '#test/shared-server.ts'
import type { App } from './types.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

const REQUEST = 'GET /here HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

function addRoutes(app: App): void {
  app.get('/here', { config: { access: 'public' } }, async () => 'here')
}

async function openSilent(port: number): Promise<Socket> {
  const socket = openSocket(port)
  opened.defer(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('HTTP-16: a connection without a request ends within 15 s', { timeout: 40_000 }, async () => {
  const { app, port } = await startKernel(addRoutes)
  opened.defer(() => app.close())
  const silent = await openSilent(port)
  const unfinished = await openSilent(port)
  unfinished.write('GET /here HTTP/1.1\r\nHost: a\r\n')
  await Promise.all([silent, unfinished].map((socket) => once(socket.resume(), 'close')))
})

test('HTTP-17: an address may have only so many connections, and another once one has ended', {
  timeout: 20_000,
}, async () => {
  const bounds = { isExempt: () => false, maxOfOne: 3 }
  const { app, port } = await startKernel(addRoutes, { connectionBounds: bounds })
  opened.defer(() => app.close())
  const [first] = await Promise.all([openSilent(port), openSilent(port), openSilent(port)])
  const tooMany = openSocket(port)
  await once(tooMany.resume(), 'close')
  first.destroy()
  while ((await connections(app)) > 2) await new Promise(setImmediate)
  assert.match(await exchange(port, REQUEST), /here$/)
})

test('HTTP-17: an exempt address, such as a proxy’s, may have any number', async () => {
  const bounds = { isExempt: (address: string) => address.endsWith('127.0.0.1'), maxOfOne: 1 }
  const { app, port } = await startKernel(addRoutes, { connectionBounds: bounds })
  opened.defer(() => app.close())
  await Promise.all([openSilent(port), openSilent(port), openSilent(port)])
  assert.match(await exchange(port, REQUEST), /here$/)
})

test('HTTP-18: files can be read and the database queried, however many connections are open', {
  timeout: 60_000,
}, async () => {
  const { shared, close } = await startSharedServer(readConfig({ PORT: '0', VOICE_PORT: '0' }))
  opened.defer(close)
  const bounded = await startChildServer(shared, 1024)
  opened.defer(() => bounded.kill())
  const port = Number(new URL(bounded.url).port)
  const early = await openSilent(port)
  const ask = async (path: string) => {
    early.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    assert.match(await readUntil(early, /\r\n\r\n[\s\S]*[}]\s*$/), /^HTTP\/1\.1 200 /)
  }
  await ask('/api/health')
  let refused = 0
  const many = Array.from({ length: 1100 }, async () => {
    const socket = await openSilent(port)
    socket.resume().once('close', () => (refused += 1))
  })
  await Promise.all(many)
  while (refused < 1101 - 768) await new Promise(setImmediate)
  await ask('/api/health')
  await ask('/api/docs/static/index.css')
})

function connections({ server }: App): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )
}
