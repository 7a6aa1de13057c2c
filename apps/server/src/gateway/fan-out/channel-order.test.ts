import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import pino from 'pino'
import type { Event } from '#src/kernel/journal/bus.ts'
import { ChannelOrder } from './channel-order.ts'

const topic = { kind: 'room', tenantId: 'space', channelId: 'room' } as const

test('JOURNAL-4: messages of one batch are delivered in the order of seq', () => {
  for (const batch of [
    [2, 4, 3],
    [4, 3, 2, 5],
    [2, 3, 5, 4, 7, 6],
  ]) {
    const { hear, delivered } = openOrder()
    hear([1])
    hear(batch)
    assert.deepEqual(delivered, [1, ...batch].toSorted())
  }
})

test('JOURNAL-4: a change of a message does not overtake it', () => {
  const about = (name: string, data: string) => ({ ...messageWith(0), id: name, name, data })
  for (const change of [
    about('MESSAGE_UPDATE', '{"id":"","seq":3}'),
    about('MESSAGE_DELETE', '{"id":"","seq":3}'),
    about('MESSAGE_DELETE_BULK', '{"messages":[{"seq":2},{"seq":3},{"seq":1}]}'),
    about('MESSAGE_REACTION_ADD', '{"message_id":"","seq":3}'),
    about('MESSAGE_REACTION_REMOVE', '{"message_id":"","seq":3}'),
    about('MESSAGE_REACTION_CLEAR', '{"message_id":"","seq":3}'),
  ]) {
    const order = openOrder().order
    const admit = (event: Event) => order.admit(event, true).map(({ id }) => id)
    assert.deepEqual(
      [1, 2].flatMap((seq) => admit(messageWith(seq))),
      ['id 1', 'id 2'],
    )
    assert.deepEqual(admit(change), [])
    assert.deepEqual(admit(messageWith(3)), ['id 3', change.id])
    assert.deepEqual(admit(change), [change.id])
  }
})

test('JOURNAL-4: a change does not overtake its message where it is the first event of the channel', async () => {
  const change = { ...messageWith(1), id: 'change', name: 'MESSAGE_UPDATE' }
  const delivered: (string | undefined)[] = []
  const order = new ChannelOrder({
    deliver: (events) => void delivered.push(...events.map(({ id }) => id)),
    findMissing: async () => [messageWith(1)],
    isAlone: false,
    log: pino({ level: 'silent' }),
  })
  assert.deepEqual(order.admit(change, true), [])
  await turnOfTheLoop()
  assert.deepEqual(delivered, ['id 1', 'change'])
  assert.deepEqual(order.admit(messageWith(1), true), [])
})

function openOrder() {
  const delivered: number[] = []
  const deliver = (events: readonly Event[]) =>
    void delivered.push(...events.map(({ data }) => Number(/"seq":(\d+)/.exec(data)?.[1])))
  const order = new ChannelOrder({
    deliver,
    findMissing: async () => [],
    isAlone: true,
    log: pino({ level: 'silent' }),
  })
  const hear = (seqs: readonly number[]) => {
    for (const seq of seqs) deliver(order.admit(messageWith(seq), true))
  }
  return { order, hear, delivered }
}

function messageWith(seq: number): Event {
  return { id: `id ${seq}`, topic, audience: 0, name: 'MESSAGE_CREATE', data: `{"seq":${seq}}` }
}
