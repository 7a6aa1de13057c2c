import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { ChosenStatus } from '@foyer/protocol/presence'
import { HIDDEN_IDLE_AFTER_MS, IDLE_AFTER_MS, keepPresence } from './keep-presence.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

function start(kept: Record<string, string> = {}, shown: DocumentVisibilityState = 'visible') {
  const told: ChosenStatus[] = []
  const page = Object.assign(new EventTarget(), { visibilityState: shown })
  const window = Object.assign(new EventTarget(), { localStorage: storageOf(kept), document: page })
  const presence = keepPresence((status) => told.push(status), { window })
  const turn = (visibility: DocumentVisibilityState) => {
    page.visibilityState = visibility
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { told, window, presence, turn }
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

test('who touches nothing for a while is idle, and online again with the first touch', () => {
  const { told, window, presence } = start()
  mock.timers.tick(IDLE_AFTER_MS - 1)
  window.dispatchEvent(new Event('keydown'))
  mock.timers.tick(IDLE_AFTER_MS - 1)
  assert.deepEqual(told, ['online'])
  mock.timers.tick(1)
  window.dispatchEvent(new Event('pointermove'))
  window.dispatchEvent(new Event('pointermove'))
  assert.deepEqual(told, ['online', 'idle', 'online'])
  presence.close()
})

test('whose page is hidden is idle sooner, and online at once when they come back', () => {
  const { told, presence, turn } = start()
  turn('hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS - 1)
  assert.deepEqual(told, ['online'])
  mock.timers.tick(1)
  turn('visible')
  assert.deepEqual(told, ['online', 'idle', 'online'])
  mock.timers.tick(IDLE_AFTER_MS - 1)
  assert.equal(told.at(-1), 'online', 'before their eyes they have the usual time')
  presence.close()
  turn('hidden')
  mock.timers.tick(IDLE_AFTER_MS)
  assert.equal(told.length, 3)
})

test('a page that is opened where nobody sees it is soon idle, and stays so', () => {
  const { told, presence, turn } = start({}, 'hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS)
  turn('hidden')
  assert.deepEqual(told, ['online', 'idle'])
  presence.close()
})

test('a choice is kept over a reload, and stays while nobody is at the screen', () => {
  const kept = {}
  const { presence } = start(kept)
  presence.choose('invisible')
  presence.close()
  const again = start(kept)
  mock.timers.tick(IDLE_AFTER_MS)
  assert.deepEqual(new Set(again.told), new Set(['invisible']))
  again.presence.forget()
  again.presence.close()
  const next = start(kept)
  assert.deepEqual(next.told, ['online'])
  next.presence.close()
})
