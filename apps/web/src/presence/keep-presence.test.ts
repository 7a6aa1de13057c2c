import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { ChosenStatus } from '@foyer/protocol/presence'
import { HIDDEN_IDLE_AFTER_MS, IDLE_AFTER_MS, keepPresence } from './keep-presence.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

function start(kept: Record<string, string> = {}, shown: DocumentVisibilityState = 'visible') {
  const sent: ChosenStatus[] = []
  const page = Object.assign(new EventTarget(), { visibilityState: shown })
  const window = Object.assign(new EventTarget(), { localStorage: storageOf(kept), document: page })
  const presence = keepPresence((status) => sent.push(status), { window })
  const turn = (visibility: DocumentVisibilityState) => {
    page.visibilityState = visibility
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { sent, window, presence, turn }
}

function storageOf(kept: Record<string, string>) {
  return {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value
    },
    removeItem: (key: string) => {
      delete kept[key]
    },
  }
}

test('a user without input turns idle, and online again with the first input', () => {
  const { sent, window, presence } = start()
  mock.timers.tick(IDLE_AFTER_MS - 1)
  window.dispatchEvent(new Event('keydown'))
  mock.timers.tick(IDLE_AFTER_MS - 1)
  assert.deepEqual(sent, ['online'])
  mock.timers.tick(1)
  window.dispatchEvent(new Event('pointermove'))
  window.dispatchEvent(new Event('pointermove'))
  assert.deepEqual(sent, ['online', 'idle', 'online'])
  presence.close()
})

test('a user whose page is hidden turns idle sooner, and online when they come back', () => {
  const { sent, presence, turn } = start()
  turn('hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS - 1)
  assert.deepEqual(sent, ['online'])
  mock.timers.tick(1)
  turn('visible')
  assert.deepEqual(sent, ['online', 'idle', 'online'])
  mock.timers.tick(IDLE_AFTER_MS - 1)
  assert.equal(sent.at(-1), 'online', 'before their eyes they have the usual time')
  presence.close()
  turn('hidden')
  mock.timers.tick(IDLE_AFTER_MS)
  assert.equal(sent.length, 3)
})

test('a page opened in the background turns idle soon, and stays idle', () => {
  const { sent, presence, turn } = start({}, 'hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS)
  turn('hidden')
  assert.deepEqual(sent, ['online', 'idle'])
  presence.close()
})

test('a choice is kept over a reload, and while the user is away', () => {
  const kept = {}
  const { presence } = start(kept)
  presence.choose('invisible')
  presence.close()
  const again = start(kept)
  mock.timers.tick(IDLE_AFTER_MS)
  assert.deepEqual(new Set(again.sent), new Set(['invisible']))
  again.presence.forget()
  again.presence.close()
  const next = start(kept)
  assert.deepEqual(next.sent, ['online'])
  next.presence.close()
})
