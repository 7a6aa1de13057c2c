import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateCounter } from '#src/kernel/limits/rate-limits.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { startValkeyCluster, type TestValkeyCluster } from '#test/valkey/valkey-cluster.ts'
import { PubSub } from './pub-sub.ts'
import { SharedCounters } from './shared-counters.ts'
import { slotOf } from './slots.ts'
import { Valkey } from './valkey.ts'

const WAIT_MS = 20_000
const MINUTE_MS = 60_000
const skip = withoutValkey
const CHANNELS = Array.from({ length: 16 }, (_, index) => `test:c:{${index}}`)

let cluster: TestValkeyCluster
let valkey: Valkey
before(async () => {
  if (skip !== false) return
  cluster = await startValkeyCluster()
  valkey = new Valkey({ url: cluster.url, prefix: 'test', onError: () => undefined })
  await until(() => valkey.isUp, 'the cluster is there')
})
after(async () => {
  valkey?.close()
  await cluster?.close()
})

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!isTrue()) {
    assert.ok(Date.now() < deadline, what)
    await sleep(10)
  }
}

function counter(subject: string, limit: number): RateCounter {
  return { subject, name: 'requests', limit, windowMs: MINUTE_MS }
}

test('PROCESS-11: a key is on the server that the cluster names', { skip }, async () => {
  for (const key of ['', 'foo', 'a{b}c', '{}x', 'a{{b}}', '{user}:1', 'ü'])
    assert.equal(slotOf(key), await valkey.cluster?.cluster('KEYSLOT', key), key)
})

test('PROCESS-11: limits on one server of the cluster count, and those across servers count on all or none', {
  skip,
}, async () => {
  const counters = new SharedCounters(valkey, 'secret')
  // Each server of three has one of twenty, but for a chance of one in a thousand.
  const subjects = Array.from({ length: 20 }, (_, index) => `account ${index}`)
  const address = counter('192.0.2.1', 20)
  for (const subject of subjects) {
    const verdict = await counters.take([counter(subject, 5), address], Date.now())
    assert.equal(verdict?.allowed, true)
  }
  for (const subject of subjects) {
    const refused = await counters.take([counter(subject, 5), address], Date.now())
    assert.deepEqual([refused?.allowed, refused?.closest.limit], [false, 20])
    const alone = await counters.take([counter(subject, 5)], Date.now())
    assert.deepEqual([alone?.allowed, alone?.closest.remaining], [true, 3])
  }
  assert.equal(valkey.isUp, true)
})

test('PROCESS-11: channels are received from every server of the cluster, and again after a loss', {
  skip,
}, async (context) => {
  const heard: string[] = []
  const states: string[] = []
  const pubSub = new PubSub(valkey, {
    onMessage: (channel, payload) => heard.push(`${channel} ${payload}`),
    onUp: () => states.push('up'),
    onDown: () => states.push('down'),
  })
  context.after(() => pubSub.close())
  const sayAll = async (word: string) => {
    const lines = CHANNELS.flatMap((channel) =>
      [1, 2, 3].map((turn) => [channel, `${word} ${turn}`] as const),
    )
    await Promise.all(lines.map(([channel, payload]) => pubSub.publish(channel, payload)))
    await until(() => heard.length >= lines.length, word)
    for (const channel of CHANNELS) {
      const ofChannel = heard.filter((line) => line.startsWith(`${channel} `))
      assert.deepEqual(
        ofChannel,
        [1, 2, 3].map((turn) => `${channel} ${word} ${turn}`),
      )
    }
    heard.length = 0
  }
  pubSub.subscribe(CHANNELS)
  await until(() => pubSub.isUp, 'all channels are heard')
  await sayAll('before')
  await cluster.nodes[1]?.kill()
  await until(() => !pubSub.isUp, 'the loss is noticed')
  await cluster.nodes[1]?.start()
  await until(() => pubSub.isUp, 'all channels are heard again')
  await sayAll('after')
  await moveSlot(slotOf(CHANNELS[0] ?? ''))
  await until(() => states.length === 5 && pubSub.isUp, 'a channel that has moved is heard again')
  await sayAll('moved')
  assert.deepEqual(states, ['up', 'down', 'up', 'down', 'up'])
})

/** Gives an empty slot to another server of the cluster. */
async function moveSlot(slot: number): Promise<void> {
  const nodes = valkey.cluster?.nodes('master') ?? []
  const ids = await Promise.all(nodes.map((node) => node.cluster('MYID')))
  const addresses = nodes.map(({ options }) => `${options.host}:${options.port}`)
  const to = addresses.findIndex((address) => address !== valkey.cluster?.slots[slot]?.[0])
  for (const node of nodes) await node.call('CLUSTER', 'SETSLOT', `${slot}`, 'NODE', `${ids[to]}`)
}
