import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editKeyOf, emptyDraft } from '#src/store/draft.ts'
import { sampleMessage, sampleReady, sampleRoom, sampleSpace } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'
import { bounded, keepDrafts, read } from './kept-drafts.ts'

const reply = { id: 'm', author_id: 'u', name: 'Mira', words: 'Tea?', mentions: false }
const draft = { content: 'yes', named: { '@Mira': '<@1>' }, reply }

function storage(kept: unknown) {
  return { getItem: () => (typeof kept === 'string' ? kept : JSON.stringify(kept)) }
}

test('stored drafts are restored for their author only', () => {
  const kept = storage({ user_id: 'me', drafts: { room: draft } })
  assert.deepEqual(read(kept, 'me'), { room: draft })
  assert.deepEqual(read(kept, 'other'), {})
})

test('invalid data of other versions or pages does no harm', () => {
  for (const odd of ['{', 'null', [], { user_id: 'me' }, { user_id: 'me', drafts: { room: 1 } }])
    assert.deepEqual(read(storage(odd), 'me'), {})
  const older = storage({
    user_id: 'me',
    drafts: { room: { content: 'hi', named: { a: 1 }, reply: { id: 2 } } },
  })
  assert.deepEqual(read(older, 'me'), { room: { ...emptyDraft, content: 'hi' } })
})

test('only the last drafts that are not empty are stored, up to the size limit', () => {
  const text = (content: string) => ({ ...emptyDraft, content })
  assert.deepEqual(bounded({ a: emptyDraft, b: text('x') }), { b: text('x') })
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`r${index}`, text('x')]))
  assert.deepEqual([Object.keys(bounded(many)).length, Object.keys(bounded(many))[0]], [40, 'r20'])
  const long = text('x'.repeat(300_000))
  assert.deepEqual(Object.keys(bounded({ a: long, b: text('x'), c: long })), ['b', 'c'])
})

test('unfinished edits displace no drafts of rooms, and are stored if there is room', () => {
  const text = (content: string) => ({ ...emptyDraft, content })
  const edits = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [editKeyOf({ id: 'room' }, sampleMessage(index)), text('edit')]),
  )
  const kept = bounded({ room: text('tea'), 'room thread': text('cake'), ...edits })
  assert.deepEqual(Object.keys(kept).slice(-2), ['room', 'room thread'])
  assert.equal(Object.keys(kept).length, 40)
})

test('a draft of a hidden room is restored when the room is back, also after a reload', () => {
  const { openTab, contents } = startBrowser()
  const room = { space_id: 'space', room_id: 'one' }
  const before = openTab()
  before.write('one', 'tea')
  before.store.receive('ROOM_DELETE', room)
  before.drafts.close()
  assert.deepEqual(contents(), ['one: tea'])
  const { store, write, drafts } = openTab(['two'])
  write('two', 'cake')
  assert.deepEqual(contents().sort(), ['one: tea', 'two: cake'])
  store.receive('ROOM_CREATE', sampleRoom('one'))
  assert.equal(store.get().drafts.one?.content, 'tea')
  drafts.close()
})

test('TAB-8: tabs keep each other’s drafts, and none once one of them has signed out', () => {
  const { openTab, contents, signOut } = startBrowser()
  const [one, two] = [openTab(), openTab()]
  one.write('one', 'tea')
  two.write('two', 'cake')
  one.write('three', 'jam')
  assert.deepEqual(contents().sort(), ['one: tea', 'three: jam', 'two: cake'])
  one.write('one', '')
  const three = openTab()
  assert.deepEqual(Object.keys(three.store.get().drafts).sort(), ['three', 'two'])
  two.write('two', 'bread')
  assert.deepEqual(contents().sort(), ['three: jam', 'two: bread'])
  signOut()
  one.drafts.forget()
  two.write('two', 'secret')
  assert.deepEqual(contents(), [])
  for (const { drafts } of [one, two, three]) drafts.close()
})

/** A browser whose tabs share one storage. */
function startBrowser() {
  const kept = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  }
  let signedIn = true
  const openTab = (roomIds = ['one', 'two', 'three']) => {
    const store = createAppStore((show) => show())
    const window = Object.assign(new EventTarget(), { localStorage })
    const drafts = keepDrafts(store, { window, isSignedIn: () => signedIn })
    const rooms = roomIds.map((id) => sampleRoom(id))
    store.receive('READY', sampleReady({ spaces: [sampleSpace('space', { rooms })] }))
    const write = (channel_id: string, content: string) => {
      store.dispatch('draft_changed', { channel_id, content })
      window.dispatchEvent(new Event('pagehide'))
    }
    return { store, drafts, write }
  }
  const contents = () =>
    Object.entries(read(localStorage, 'me')).map(([id, { content }]) => `${id}: ${content}`)
  const signOut = () => {
    signedIn = false
  }
  return { openTab, contents, signOut }
}
