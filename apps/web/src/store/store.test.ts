import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMessage, sampleOwnReport, sampleReady } from './samples.ts'
import { createAppStore } from './store.ts'

test('gateway events apply immediately and render together', () => {
  const shows: (() => void)[] = []
  const store = createAppStore((show) => shows.push(show))
  let changes = 0
  store.api.subscribe(() => {
    changes += 1
  })
  store.receive('READY', sampleReady())
  for (const seq of [1, 2, 3]) store.receive('MESSAGE_CREATE', sampleMessage(seq))
  assert.equal(store.get().rooms.room?.last_seq, 3)
  assert.deepEqual([changes, shows.length], [0, 1])
  for (const show of shows) show()
  assert.deepEqual([changes, store.api.getState()], [1, store.get()])
  store.receive('MESSAGE_CREATE', sampleMessage(4))
  assert.equal(shows.length, 2)
})

test('local events render immediately, with all gateway events before them', () => {
  const store = createAppStore(() => undefined)
  store.receive('READY', sampleReady())
  store.dispatch('draft_changed', { channel_id: 'room', content: 'x' })
  assert.equal(store.api.getState().drafts.room?.content, 'x')
  assert.equal(store.api.getState().me?.id, 'me')
})

test('a decided report is kept through a lost connection, until the user closes the note', () => {
  const store = createAppStore(() => undefined)
  store.receive('REPORT_UPDATE', sampleOwnReport({ state: 'closed', result: 'acted' }))
  store.receive('READY', sampleReady())
  assert.equal(store.get().decision, 'report')
  store.dispatch('decision_noted', null)
  assert.equal(store.get().decision, null)
})
