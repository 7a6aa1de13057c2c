import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type { UpdatePresence } from '@foyer/protocol/presence'
import { sampleMessage, sampleRoom, sampleUser, sampleVoice } from '#src/store/samples.ts'
import type { State } from '#src/store/state.ts'
import { FakeBrowser, type FakeTab } from './fake-browser.ts'
import type { FakeServer } from './fake-server.ts'

/** Longer than any heartbeat, backoff and patience together. */
const LONG_MS = 60_000

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

let browsers = 0
function newBrowser(): FakeBrowser {
  browsers += 1
  return new FakeBrowser(`browser ${browsers}`)
}

async function pass(browser: FakeBrowser, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    await browser.settle()
    mock.timers.tick(500)
    browser.server.sleep(500)
  }
  await browser.settle()
}

async function open(browser: FakeBrowser, count: number): Promise<FakeTab[]> {
  const tabs: FakeTab[] = []
  for (let opened = 0; opened < count; opened += 1) {
    tabs.push(browser.openTab())
    await pass(browser, 1_000)
  }
  return tabs
}

function leaderOf(browser: FakeBrowser): FakeTab {
  const leaders = browser.tabs.filter(({ line }) => line.isLeading)
  assert.equal(leaders.length, 1, 'one tab leads')
  const [leader] = leaders
  assert.ok(leader)
  return leader
}

/** What comes from the server, the same for all tabs. */
function shared(state: State) {
  const { me, spaces, rooms, conversations, friends, voices, calls, notificationSettings } = state
  const others = Object.values(state.presences).filter(({ user_id }) => user_id !== 'me')
  // Nothing is unread in a channel of which nothing is said.
  const known = Object.entries(state.readStates).filter(([id, read]) => id in rooms && read.counted_seq > 0)
  const counts = known
    .map(([id, { unread_count, last_read_seq }]) => [id, unread_count, last_read_seq])
    .sort()
  return { me, spaces, rooms, conversations, friends, voices, calls, notificationSettings, others, counts }
}

function assertAllKnow(browser: FakeBrowser): void {
  const expected = shared(browser.server.state)
  for (const tab of browser.tabs) {
    assert.equal(tab.gateway.state, 'ready', tab.name)
    assert.deepEqual(shared(tab.store.get()), expected, tab.name)
    assert.equal(new Set(tab.told).size, tab.told.length, `${tab.name} was told nothing twice`)
  }
}

function say(server: FakeServer, seq: number): void {
  server.publish('MESSAGE_CREATE', sampleMessage(seq))
}

describe('tabs of one login', () => {
  test('TAB-1: hold one connection, and all know what one that comes alone would be told', async () => {
    const browser = newBrowser()
    const { server } = browser
    await open(browser, 2)
    say(server, 1)
    server.publish('ROOM_CREATE', sampleRoom('new'))
    server.publish('VOICE_STATE_UPDATE', sampleVoice('other', { room_id: 'new' }))
    await open(browser, 3)
    say(server, 2)
    await pass(browser, 1_000)
    assertAllKnow(browser)
    assert.deepEqual([server.open.length, server.connections.length, server.identified], [1, 1, 1])
    for (const tab of [...browser.tabs]) tab.close()
  })

  test('TAB-2: go on where the one that led has closed, crashed or frozen, by a resume', async () => {
    for (const end of ['close', 'crash', 'freeze'] as const) {
      const browser = newBrowser()
      const { server } = browser
      await open(browser, 4)
      say(server, 1)
      await pass(browser, 1_000)
      const first = leaderOf(browser)
      say(server, 2)
      first[end]()
      say(server, 3)
      await pass(browser, LONG_MS)
      say(server, 4)
      await pass(browser, 1_000)
      if (end === 'freeze') first.thaw()
      await pass(browser, LONG_MS)
      assert.notEqual(leaderOf(browser), first, end)
      assertAllKnow(browser)
      assert.deepEqual([server.open.length, server.identified], [1, 1], end)
      assert.equal(server.resumed, 1, end)
      for (const tab of [...browser.tabs]) tab.close()
    }
  })

  test('TAB-2: whoever comes during a handover is told all, and none of it again', async () => {
    const browser = newBrowser()
    const { server } = browser
    await open(browser, 2)
    for (let seq = 1; seq <= 20; seq += 1) say(server, seq)
    await pass(browser, 500)
    browser.openTab()
    await pass(browser, 1_000)
    leaderOf(browser).crash()
    browser.openTab()
    say(server, 21)
    await pass(browser, 5_000)
    leaderOf(browser).close()
    say(server, 22)
    await pass(browser, 5_000)
    assertAllKnow(browser)
    for (const tab of [...browser.tabs]) tab.close()
  })

  test('TAB-3: are seen as all of them together say', async () => {
    const browser = newBrowser()
    const [one, two, three] = await open(browser, 3)
    const told = () =>
      browser.server.connections
        .flatMap(({ received }) => received)
        .flatMap((frame) => (frame.op === 3 ? [frame.d.status] : []))
    const say = async (tab: FakeTab | undefined, presence: UpdatePresence) => {
      tab?.gateway.setPresence(presence)
      await pass(browser, 1_000)
    }
    await say(one, { status: 'idle' })
    await say(two, { status: 'idle' })
    assert.deepEqual(told(), [], 'somebody is there as long as one tab says so')
    await say(three, { status: 'idle' })
    assert.deepEqual(told(), ['idle'])
    await say(two, { status: 'online' })
    assert.deepEqual(told(), ['idle', 'online'])
    for (const tab of browser.tabs) assert.equal(tab.store.get().presences.me?.status, 'online')
    two?.crash()
    await pass(browser, 1_000)
    assert.deepEqual(told(), ['idle', 'online', 'idle'], 'whoever is gone says nothing')
    for (const tab of [...browser.tabs]) tab.close()
  })

  test('TAB-4: ask together, and each hears what it asked for', async () => {
    const browser = newBrowser()
    const { server } = browser
    const [one, two] = await open(browser, 2)
    const lists = new Map<FakeTab, string[]>()
    for (const tab of browser.tabs) {
      tab.gateway.on('SPACE_MEMBER_LIST_UPDATE', ({ ranges }) => {
        lists.set(tab, [...(lists.get(tab) ?? []), ...ranges.map(({ from, to }) => `${from}-${to}`)])
      })
    }
    one?.gateway.subscribe({ space_id: 'space', member_ranges: [[0, 99]] })
    await pass(browser, 1_000)
    two?.gateway.subscribe({ space_id: 'space', member_ranges: [[100, 199]] })
    await pass(browser, 1_000)
    const asked = () =>
      server.connections
        .flatMap(({ received }) => received)
        .flatMap((frame) => (frame.op === 14 ? [frame.d.member_ranges] : []))
    assert.deepEqual(asked().at(-1), [
      [100, 199],
      [0, 99],
    ])
    const ranges = [
      { from: 0, to: 99, user_ids: [] },
      { from: 100, to: 199, user_ids: [] },
    ]
    const counts = { groups: [], online_count: 0, member_count: 0, members: [], presences: [] }
    server.pass('SPACE_MEMBER_LIST_UPDATE', { space_id: 'space', room_id: null, ranges, ...counts })
    await pass(browser, 1_000)
    assert.deepEqual([one && lists.get(one), two && lists.get(two)], [['0-99'], ['100-199']])
    server.pass('SPACE_MEMBER_LIST_UPDATE', { space_id: 'space', room_id: 'plans', ranges, ...counts })
    await pass(browser, 1_000)
    assert.deepEqual([one && lists.get(one), two && lists.get(two)], [['0-99'], ['100-199']])
    two?.crash()
    await pass(browser, 1_000)
    assert.deepEqual(asked().at(-1), [[0, 99]])
    const found = one?.gateway.requestMembers({ space_id: 'space', query: 'a', limit: 1 })
    await pass(browser, 1_000)
    assert.deepEqual((await found)?.members, [])
    for (const tab of [...browser.tabs]) tab.close()
  })

  test('TAB-5: come to the same however tabs come, go and freeze, and lines break', async () => {
    for (let seed = 1; seed <= 12; seed += 1) await live(seed)
  })
})

async function live(seed: number): Promise<void> {
  const random = randomOf(seed)
  const browser = newBrowser()
  const { server } = browser
  const acts = actsOf(browser, random)
  for (let step = 0; step < 120; step += 1) {
    pickOf(random, acts)?.()
    // Often the next thing happens before all that follows from the last has.
    for (let taken = 0; taken < random() * 8; taken += 1) pickOf(random, browser.tabs)?.take()
    if (random() < 0.6) await pass(browser, 500 * Math.floor(random() ** 3 * 40))
  }
  for (const tab of browser.tabs) tab.thaw()
  browser.openTab()
  await pass(browser, LONG_MS)
  leaderOf(browser)
  assertAllKnow(browser)
  assert.equal(server.open.length, 1, `one connection at the end of ${seed}`)
  for (const tab of [...browser.tabs]) tab.close()
}

/** What may happen, to tabs and to what they show. */
function actsOf(browser: FakeBrowser, random: () => number): (() => void)[] {
  const { server } = browser
  const pick = <T>(of: readonly T[]) => pickOf(random, of)
  let seq = 0
  const next = () => {
    seq += 1
    return seq
  }
  const acts: Record<string, () => void> = {
    open: () => browser.tabs.length < 6 && browser.openTab(),
    close: () => pick(browser.tabs)?.close(),
    crash: () => random() < 0.5 && pick(browser.tabs)?.crash(),
    freeze: () => pick(browser.tabs)?.freeze(),
    thaw: () => pick(browser.tabs.filter(({ isFrozen }) => isFrozen))?.thaw(),
    break: () => random() < 0.5 && pick(server.open)?.break(),
    message: () => say(server, next()),
    chat: () => {
      for (let said = 0; said < 5; said += 1) say(server, next())
    },
    room: () => server.publish('ROOM_CREATE', sampleRoom(`room ${next()}`)),
    gone: () => {
      const room_id = pick(Object.keys(server.state.rooms).slice(1))
      if (room_id !== undefined) server.publish('ROOM_DELETE', { space_id: 'space', room_id })
    },
    // Commits may come in another order than the journal's.
    friend: () => {
      const user = sampleUser(`friend ${Math.floor(random() * 5)}`)
      server.publish('FRIEND_CREATE', { user, since: '' }, Math.floor(random() * 2) * 1_500)
    },
    presence: () =>
      server.pass('PRESENCE_UPDATE', {
        user_id: 'other',
        status: pick(['online', 'idle', 'offline'] as const) ?? 'online',
        custom: null,
      }),
    read: () =>
      server.publish('MESSAGE_ACK', {
        room_id: 'room',
        conversation_id: null,
        last_read_seq: seq,
        unread_count: 0,
        mention_count: 0,
      }),
  }
  return Object.values(acts)
}

function pickOf<T>(random: () => number, of: readonly T[]): T | undefined {
  return of[Math.floor(random() * of.length)]
}

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
  }
}
