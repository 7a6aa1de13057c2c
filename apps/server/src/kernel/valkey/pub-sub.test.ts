import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { startValkey, type TestValkey, withoutValkey } from '#test/valkey/valkey.ts'
import { PubSub } from './pub-sub.ts'
import { Valkey } from './valkey.ts'

const WAIT_MS = 10_000
const skip = withoutValkey

let server: TestValkey
let valkey: Valkey
let open: PubSub[] = []
before(async () => {
  if (skip !== false) return
  server = await startValkey()
  valkey = new Valkey({ url: server.url, prefix: 'test', onError: () => undefined })
})
afterEach(() => {
  for (const pubSub of open) pubSub.close()
  open = []
})
after(async () => {
  valkey?.close()
  await server?.close()
})

/** A subscriber of the channels `a` and `b`, with the messages received, in order. */
function listener() {
  const heard: string[] = []
  let waiting = Promise.withResolvers<void>()
  const note = (line: string) => {
    heard.push(line)
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  const pubSub = new PubSub(valkey, {
    onMessage: (channel, payload) => note(`${channel} ${payload}`),
    onUp: () => note('up'),
    onDown: () => note('down'),
  })
  open.push(pubSub)
  pubSub.subscribe(['a', 'b'])
  const until = async (isEnough: (heard: string[]) => boolean): Promise<string[]> => {
    const signal = AbortSignal.timeout(WAIT_MS)
    const late = new Promise<never>((_, reject) => {
      signal.onabort = () => reject(new Error(`only heard ${heard.join(', ')}`))
    })
    while (!isEnough(heard)) await Promise.race([waiting.promise, late])
    signal.onabort = null
    return heard
  }
  return { pubSub, heard, until }
}

const hasHeard = (line: string) => (heard: string[]) => heard.includes(line)

test('PROCESS-10: subscribers receive what is published on a channel, in order', { skip }, async () => {
  const [ann, bob] = [listener(), listener()]
  await Promise.all([ann.until(hasHeard('up')), bob.until(hasHeard('up'))])
  const numbers = Array.from({ length: 200 }, (_, index) => index)
  await Promise.all([
    ...numbers.map((number) => ann.pubSub.publish(number % 2 === 0 ? 'a' : 'b', `${number}`)),
    ann.pubSub.publish('c', 'for others'),
  ])
  const expected = ['up', ...numbers.map((number) => `${number % 2 === 0 ? 'a' : 'b'} ${number}`)]
  for (const { until } of [ann, bob]) assert.deepEqual(await until(({ length }) => length > 200), expected)
})

test('PROCESS-10: a loss is reported once, and the return when all channels are subscribed', {
  skip,
}, async () => {
  const { pubSub, heard, until } = listener()
  await until(hasHeard('up'))
  await server.kill()
  await until(hasHeard('down'))
  assert.equal(pubSub.isUp, false)
  await assert.rejects(pubSub.publish('a', 'lost'))
  await server.start()
  await until(({ length }) => length === 3)
  await pubSub.publish('b', 'back')
  await until(hasHeard('b back'))
  assert.deepEqual(heard, ['up', 'down', 'up', 'b back'])
})

test('PROCESS-10: a hanging Valkey counts as down', { skip }, async () => {
  const { pubSub, heard, until } = listener()
  await until(hasHeard('up'))
  server.pause()
  await until(hasHeard('down'))
  await assert.rejects(pubSub.publish('a', 'lost'))
  server.resume()
  await until(({ length }) => length === 3)
  await pubSub.publish('a', 'back')
  await until(hasHeard('a back'))
  assert.deepEqual(heard, ['up', 'down', 'up', 'a back'])
})
