import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { HIDDEN_IDLE_AFTER_MS, IDLE_AFTER_MS, SHARE_EVERY_MS, watchIdle } from './idle.ts'

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

function start(shown: DocumentVisibilityState = 'visible', activity = channel()) {
  const sent: boolean[] = []
  const page = Object.assign(new EventTarget(), { visibilityState: shown })
  const window = Object.assign(new EventTarget(), { document: page })
  const stop = watchIdle({ window, activity }, (isIdle) => sent.push(isIdle))
  const turn = (visibility: DocumentVisibilityState) => {
    page.visibilityState = visibility
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { sent, window, stop, turn }
}

test('a user without input turns idle, and online again with the first input', () => {
  const { sent, window, stop } = start()
  mock.timers.tick(IDLE_AFTER_MS - 1)
  window.dispatchEvent(new Event('keydown'))
  mock.timers.tick(IDLE_AFTER_MS - 1)
  assert.deepEqual(sent, [])
  mock.timers.tick(1)
  window.dispatchEvent(new Event('pointermove'))
  window.dispatchEvent(new Event('pointermove'))
  assert.deepEqual(sent, [true, false])
  stop()
})

test('a user whose page is hidden turns idle sooner, and online when they come back', () => {
  const { sent, stop, turn } = start()
  turn('hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS - 1)
  assert.deepEqual(sent, [])
  mock.timers.tick(1)
  turn('visible')
  assert.deepEqual(sent, [true, false])
  mock.timers.tick(IDLE_AFTER_MS - 1)
  assert.equal(sent.at(-1), false, 'a visible page has the usual time')
  stop()
  turn('hidden')
  mock.timers.tick(IDLE_AFTER_MS)
  assert.equal(sent.length, 2)
})

test('a page opened in the background turns idle soon, and stays idle', () => {
  const { sent, stop, turn } = start('hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS)
  turn('hidden')
  assert.deepEqual(sent, [true])
  stop()
})

test('TAB-3: a user active in one tab is idle in none, and idle in all once no tab is used', () => {
  const others: EventTarget[] = []
  const used = start('visible', channel(others))
  const hidden = start('hidden', channel(others))
  for (let passed = 0; passed < IDLE_AFTER_MS; passed += SHARE_EVERY_MS) {
    mock.timers.tick(SHARE_EVERY_MS)
    used.window.dispatchEvent(new Event('keydown'))
  }
  assert.deepEqual([used.sent, hidden.sent], [[], []])
  mock.timers.tick(IDLE_AFTER_MS)
  assert.deepEqual([used.sent.at(-1), hidden.sent.at(-1)], [true, true])
  used.window.dispatchEvent(new Event('keydown'))
  assert.deepEqual([used.sent.at(-1), hidden.sent.at(-1)], [false, false])
  used.turn('hidden')
  mock.timers.tick(HIDDEN_IDLE_AFTER_MS)
  assert.deepEqual([used.sent.at(-1), hidden.sent.at(-1)], [true, true])
  for (const { stop } of [used, hidden]) stop()
})
