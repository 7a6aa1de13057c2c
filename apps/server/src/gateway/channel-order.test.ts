import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { Event } from '#src/kernel/bus.ts'
import { ChannelOrder } from './channel-order.ts'

const topic = { kind: 'room', tenantId: 'space', channelId: 'room' } as const

test('JOURNAL-4: messages that come in one batch, in another order than that of seq, are delivered in that of seq', () => {
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
  return { hear, delivered }
}

function messageWith(seq: number): Event {
  return { id: `id ${seq}`, topic, audience: 0, name: 'MESSAGE_CREATE', data: `{"seq":${seq}}` }
}
