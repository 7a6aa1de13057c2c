import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openSocket, readUntil, startKernel } from '#test/kernel.ts'

test('HTTP-14: closing lets running requests finish, and waits for nothing else', {
  timeout: 30_000,
}, async (context) => {
  const [entered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { app, port, fetch } = await startKernel((app) => {
    const config = { access: 'public' } as const
    app.get('/slow', { config }, async () => {
      entered.resolve()
      await released.promise
      return { ok: true }
    })
    app.get('/quick', { config }, async () => ({ ok: true }))
  })
  const idle = openSocket(port)
  idle.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n')
  await readUntil(idle, /\}$/)
  const silent = openSocket(port)
  await once(silent, 'connect')
  const underWay = openSocket(port)
  underWay.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await entered.promise

  // Prevents any cut by a timeout.
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const closed = app.close()
  while (app.server.listening) await new Promise((resolve) => setImmediate(resolve))
  await assert.rejects(fetch('/quick'))
  released.resolve()
  assert.match(await readUntil(underWay, /\}$/), /^HTTP\/1\.1 200 OK/)
  await closed
  assert.equal(app.lifecycle.draining, true)
  for (const socket of [idle, silent, underWay]) if (!socket.closed) await once(socket.resume(), 'close')
})

test('HTTP-14: a request that does not finish is cut off', { timeout: 30_000 }, async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { app, port } = await startKernel((app) => {
    app.get('/never', { config: { access: 'public' } }, () => new Promise(() => {}))
  })
  const socket = openSocket(port)
  socket.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n')
  const cut = once(socket, 'error')
  await once(socket, 'ready')
  await new Promise((resolve) => setImmediate(resolve))
  const closed = app.close()
  while (!app.lifecycle.draining) await new Promise((resolve) => setImmediate(resolve))
  context.mock.timers.tick(5000)
  await Promise.all([cut, closed])
})
