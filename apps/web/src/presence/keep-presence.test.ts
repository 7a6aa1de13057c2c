import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { ChosenStatus } from '@foyer/protocol/presence'
import { HIDDEN_IDLE_AFTER_MS, IDLE_AFTER_MS, SHARE_EVERY_MS } from './idle.ts'
import { keepPresence } from './keep-presence.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

/** The channel between the tabs of a browser. */
function channel(others: EventTarget[] = []) {
  const own = new EventTarget()
  const postMessage = () => {
    for (const other of others) if (other !== own) other.dispatchEvent(new Event('message'))
  }
  const close = () => others.splice(others.indexOf(own), 1)
  others.push(own)
  return Object.assign(own, { postMessage, close })
}

function start(
  kept: Record<string, string> = {},
  shown: DocumentVisibilityState = 'visible',
  activity = channel(),
) {
  const sent: ChosenStatus[] = []
  const page = Object.assign(new EventTarget(), { visibilityState: shown })
  const window = Object.assign(new EventTarget(), { localStorage: storageOf(kept), document: page })
  const presence = keepPresence((status) => sent.push(status), { window, activity })
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

test('TAB-3: who is active in one tab is idle in none, and idle in all once they touch none', () => {
  const others: EventTarget[] = []
  const used = start({}, 'visible', channel(others))
  const hidden = start({}, 'hidden', channel(others))
  for (let passed = 0; passed < IDLE_AFTER_MS; passed += SHARE_EVERY_MS) {
    mock.timers.tick(SHARE_EVERY_MS)
    used.window.dispatchEvent(new Event('keydown'))
  }
  assert.deepEqual([used.sent, hidden.sent], [['online'], ['online']])
  mock.timers.tick(IDLE_AFTER_MS)
  assert.deepEqual([used.sent.at(-1), hidden.sent.at(-1)], ['idle', 'idle'])
  used.window.dispatchEvent(new Event('keydown'))
  assert.deepEqual([used.sent.at(-1), hidden.sent.at(-1)], ['online', 'online'])
  used.turn('hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS)
  assert.deepEqual([used.sent.at(-1), hidden.sent.at(-1)], ['idle', 'idle'])
  for (const { presence } of [used, hidden]) presence.close()
})

test('TAB-3: a status that is chosen in one tab is chosen in all', () => {
  const kept = {}
  const [chosen, other] = [start(kept), start(kept)]
  chosen.presence.choose('dnd')
  for (const { window } of [other, chosen]) window.dispatchEvent(new Event('storage'))
  assert.deepEqual(
    [chosen.sent, other.sent, other.presence.status],
    [['online', 'dnd'], ['online', 'dnd'], 'dnd'],
  )
  for (const { presence } of [chosen, other]) presence.close()
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
