import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { startTarget } from '#test/outside/http-target.ts'
import { startTestServer } from '#test/server.ts'

/** Addresses that each open their full share of streams: more than there are in all. */
const CROWD = 12
const MAX_STREAMS = 256

test('PROXY-7: many addresses that take all they may leave streams for new ones', async (context) => {
  const target = await startTarget((_request, response) =>
    response.writeHead(200, { 'content-type': 'video/mp4' }).write('beginning'),
  )
  const server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'], trustedProxies: ['127.0.0.1'] })
  const path = server.deps.downloads.proxyUrlOf(`http://127.0.0.1:${target.port}/long.mp4`, Date.now())
  const open: IncomingMessage[] = []
  context.after(async () => {
    for (const incoming of open) incoming.destroy()
    await server.close()
    await target.close()
  })
  const ask = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const [incoming]: IncomingMessage[] = await once(get(server.url + path, { headers }), 'response')
    assert.ok(incoming)
    open.push(incoming.on('error', () => undefined))
    return incoming.statusCode
  }
  let taken = 0
  for (let asked = 0; asked < CROWD * 24; asked += 1)
    if ((await ask(`192.0.2.${asked % CROWD}`)) === 200) taken += 1
  assert.ok(taken > MAX_STREAMS / 2, `${taken}: the streams serve who comes first`)
  assert.ok(taken < MAX_STREAMS, `${taken}: streams are left`)
  for (const newcomer of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
    assert.equal(await ask(newcomer), 200)
})
