import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Attention, Tabs } from './attention.ts'

const AFTER_ANSWERS_MS = 150

let tabs: Tabs[]
let notified: string[]

beforeEach(async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  notified = []
  tabs = [new Tabs(), new Tabs(), new Tabs()]
  for (const tab of tabs) tab.stand()
  await settled()
})

afterEach(() => {
  for (const tab of tabs) tab.close()
  mock.timers.reset()
})

/** Locks and messages between tabs take some turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
}

/** All tabs receive the message. @param near the attention of each */
async function receive(messageId: string, near: readonly Attention[] = ['away', 'away', 'away']) {
  for (const [index, tab] of tabs.entries())
    tab.report(messageId, near[index] ?? 'away', (nearest) =>
      notified.push(`${index} ${messageId} ${nearest}`),
    )
  await settled()
  mock.timers.tick(AFTER_ANSWERS_MS)
}

test('TAB-2: one of all tabs notifies, and knows what the others show', async () => {
  await receive('m1')
  await receive('m2', ['away', 'focused', 'reading'])
  assert.deepEqual(notified, ['0 m1 away', '0 m2 reading'])
})

test('TAB-2: another tab notifies once the one that did is closed', async () => {
  tabs[0]?.close()
  await settled()
  await receive('m1')
  assert.deepEqual(notified, ['1 m1 away'])
})

test('TAB-2: a message that comes while the tab that notifies closes is not lost', async () => {
  for (const [index, tab] of tabs.entries()) tab.report('m1', 'away', () => notified.push(`${index}`))
  tabs[0]?.close()
  await settled()
  mock.timers.tick(AFTER_ANSWERS_MS)
  assert.deepEqual(notified, ['1'])
})

test('TAB-2: a tab that receives a message after another notified of it, and closed, stays silent', async () => {
  const [first, late] = tabs
  first?.report('m1', 'away', () => notified.push('0'))
  await settled()
  mock.timers.tick(AFTER_ANSWERS_MS)
  first?.close()
  await settled()
  late?.report('m1', 'away', () => notified.push('1'))
  mock.timers.tick(AFTER_ANSWERS_MS)
  assert.deepEqual(notified, ['0'])
})

test('TAB-2: a tab without a connection leaves it to another, and waits for its turn when it is back', async () => {
  tabs[0]?.withdraw()
  await settled()
  await receive('m1')
  tabs[0]?.stand()
  tabs[1]?.withdraw()
  await settled()
  await receive('m2')
  tabs[2]?.withdraw()
  await settled()
  await receive('m3')
  assert.deepEqual(notified, ['1 m1 away', '2 m2 away', '0 m3 away'])
})

test('TAB-2: without locks each tab notifies by itself', async () => {
  const withheld = { get: () => undefined, configurable: true }
  const locks = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks') ?? withheld
  Object.defineProperty(Navigator.prototype, 'locks', withheld)
  for (const tab of tabs) tab.withdraw()
  for (const tab of tabs) tab.stand()
  Object.defineProperty(Navigator.prototype, 'locks', locks)
  await receive('m1')
  assert.deepEqual(notified, ['0 m1 away', '1 m1 away', '2 m1 away'])
})
