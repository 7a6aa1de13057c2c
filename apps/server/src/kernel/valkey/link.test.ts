import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#test/until.ts'
import { startValkey, type TestValkey, withoutValkey } from '#test/valkey/valkey.ts'
import { connectTo } from './connecting.ts'
import { flavours, Link } from './link.ts'

const skip = withoutValkey

let server: TestValkey
before(async () => {
  if (skip === false) server = await startValkey()
})
after(() => server?.close())

test('PROCESS-10: a connection lost again while it subscribes does not end the process', {
  skip,
}, async () => {
  const connections: ReturnType<typeof connectTo>[] = []
  let attempts = 0
  let up = Promise.withResolvers<void>()
  const connect = () => {
    const connection = connectTo(server.url)
    connection.on('error', () => undefined)
    connections.push(connection)
    return connection
  }
  const subscribe: typeof flavours.single.subscribe = async (subscriber, channels) => {
    attempts += 1
    if (attempts === 2) subscriber.stream.destroy()
    await flavours.single.subscribe(subscriber, channels)
  }
  const heard: string[] = []
  const link = new Link(
    connect,
    { ...flavours.single, subscribe },
    {
      onMessage: (_channel, payload) => heard.push(payload),
      onUp: () => up.resolve(),
      onDown: () => undefined,
    },
  )
  link.subscribe(['a'])
  await up.promise
  up = Promise.withResolvers()
  for (const { stream } of connections) stream.destroy()
  await up.promise
  assert.equal(attempts, 3)
  await link.publish('a', 'hello')
  await until(async () => heard.includes('hello'), 'what was published')
  link.close()
})
