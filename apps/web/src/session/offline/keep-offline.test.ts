import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptUpload, type StoredFile } from '#src/attachments/transfer/upload-state.ts'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleReady, sampleUser } from '#src/store/samples.ts'
import { initialState, type OutgoingMessage } from '#src/store/state.ts'
import {
  forgetOutbox,
  isLacking,
  type OnItsWay,
  readOutbox,
  settledNonce,
  writeOutbox,
} from './kept-outbox.ts'
import { forgetPlaces, readPlaces, writePlaces } from './kept-places.ts'

const WRITTEN = Date.parse('2026-05-01T12:00:00.000Z')
const HOUR_MS = 3_600_000

test('unsent messages are restored in order, for their author, until they are sent', () => {
  const storage = new MemoryStorage()
  const [one, two] = [outgoing('1', 0), outgoing('2', 1)]
  writeOutbox(storage, withOutbox(two, one), withOutbox())
  const read = (userId: string) =>
    readOutbox(storage, userId, WRITTEN).map(({ message: { nonce, status } }) => [nonce, status])
  assert.deepEqual(read('me'), [
    ['1', 'waiting'],
    ['2', 'waiting'],
  ])
  assert.deepEqual(read('other'), [])
  writeOutbox(storage, withOutbox(two), withOutbox(two, one))
  assert.deepEqual(read('me'), [['2', 'waiting']])
  forgetOutbox(storage)
  assert.equal(storage.length, 0)
})

test('failed messages, and those too old to be sent safely again, wait for their author', () => {
  const storage = new MemoryStorage()
  const refused = { ...outgoing('1', 0), status: 'failed', error: 'no' } as const
  writeOutbox(storage, withOutbox(refused, outgoing('2', 0)), withOutbox())
  const states = (now: number) =>
    readOutbox(storage, 'me', now).map(({ message: { status, error } }) => [status, error])
  assert.deepEqual(states(WRITTEN + 22 * HOUR_MS), [
    ['failed', 'no'],
    ['waiting', null],
  ])
  assert.deepEqual(states(WRITTEN + 24 * HOUR_MS)[1], [
    'failed',
    'This message is about a day old. Retry to send it anyway.',
  ])
})

test('a message with files is kept at once, and again after each stored file', () => {
  const storage = new MemoryStorage()
  const message = { ...outgoing('1', 0), upload_ids: ['one', 'two'] }
  const [one, two] = [picture('a'), picture('b')]
  const lacking = (file: StoredFile) => ({ ...file, attachment_id: '' })
  const underWay = (id: string, { filename, content_type, size_bytes }: StoredFile) => ({
    ...keptUpload(id, 'room', two),
    ...{ filename, content_type, size_bytes, progress: { kind: 'queued' } as const },
  })
  const uploads = { one: underWay('one', one), two: underWay('two', two) }
  const none = { ...withOutbox(message), uploads }
  const first = { ...none, uploads: { ...uploads, one: keptUpload('one', 'room', one) } }
  const both = { ...none, uploads: { ...first.uploads, two: keptUpload('two', 'room', two) } }
  const read = () =>
    readOutbox(storage, 'me', WRITTEN).map((kept) => [kept.message.nonce, kept.files, isLacking(kept)])
  writeOutbox(storage, none, withOutbox())
  assert.deepEqual(read(), [['1', [lacking(one), lacking(two)], true]])
  writeOutbox(storage, first, none)
  assert.deepEqual(read(), [['1', [one, lacking(two)], true]])
  writeOutbox(storage, both, first)
  assert.deepEqual(read(), [['1', [one, two], false]])
  // The uploads are gone and cannot be sent again, but the message is still kept.
  writeOutbox(storage, first, both)
  assert.equal(read().length, 1)
  writeOutbox(storage, { ...first, outbox: {} }, first)
  assert.equal(storage.length, 0)
})

test('files stored by another attempt replace those of the first', () => {
  const storage = new MemoryStorage()
  const none = withOutbox({ ...outgoing('1', 0), upload_ids: ['one'] })
  const stored = (name: string) => ({ ...none, uploads: { one: keptUpload('one', 'room', picture(name)) } })
  writeOutbox(storage, stored('a'), none)
  writeOutbox(storage, none, stored('a'))
  writeOutbox(storage, stored('b'), none)
  assert.deepEqual(
    readOutbox(storage, 'me', WRITTEN).map(({ files }) => files),
    [[picture('b')]],
  )
})

test('invalid data of other versions does no harm', () => {
  const storage = new MemoryStorage()
  const message = outgoing('1', 0)
  const halfFile = { user_id: 'me', message, files: [{ attachment_id: 'attachment' }] }
  const odd = ['{', 'null', '{"user_id":"me"}', '{"user_id":"me","message":{"nonce":1}}']
  for (const text of [...odd, JSON.stringify(halfFile)]) {
    storage.setItem('foyer.unsent.odd', text)
    assert.deepEqual(readOutbox(storage, 'me', WRITTEN), [])
  }
  storage.setItem('foyer.unsent.odd', JSON.stringify({ user_id: 'me', message }))
  assert.deepEqual(
    readOutbox(storage, 'me', WRITTEN).map(({ files }) => files),
    [[]],
    'without a word of files, as it was once kept',
  )
})

test('another tab reports a sent message by removing it', () => {
  assert.equal(settledNonce({ key: 'foyer.unsent.7', newValue: null }), '7')
  assert.equal(settledNonce({ key: 'foyer.unsent.7', newValue: '{}' }), null)
  assert.equal(settledNonce({ key: 'foyer.drafts', newValue: null }), null)
})

test('places are restored for the same build, with only the users they are named after', () => {
  const storage = new MemoryStorage()
  const stranger = sampleUser('stranger')
  const state = reduceEvent(initialState, 'READY', sampleReady(), 0)
  writePlaces(storage, { ...state, users: { ...state.users, stranger } }, 'build 1')
  const places = readPlaces(storage, 'build 1')
  assert.deepEqual([places?.me.id, Object.keys(places?.rooms ?? {})], ['me', ['room']])
  assert.deepEqual(Object.keys(places?.users ?? {}), ['me'])
  assert.equal(readPlaces(storage, 'build 2'), null)
  forgetPlaces(storage)
  assert.equal(readPlaces(storage, 'build 1'), null)
})

test('the app works when storage is full', () => {
  const storage = new MemoryStorage()
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  writePlaces(storage, reduceEvent(initialState, 'READY', sampleReady(), 0), 'build')
  writeOutbox(storage, withOutbox(outgoing('1', 0)), withOutbox())
  assert.equal(storage.length, 0)
})

function outgoing(nonce: string, minutes: number): OutgoingMessage {
  const created_at = new Date(WRITTEN + minutes * 60_000).toISOString()
  const rest = { options: {}, upload_ids: [], stickers: [], status: 'sending', error: null } as const
  return { nonce, channel: 'room', content: `text ${nonce}`, created_at, ...rest }
}

function withOutbox(...messages: OutgoingMessage[]): OnItsWay {
  const { me } = reduceEvent(initialState, 'READY', sampleReady(), 0)
  return { me, outbox: { room: messages }, uploads: {} }
}

function picture(name: string): StoredFile {
  return {
    attachment_id: `attachment-${name}`,
    filename: `${name}.png`,
    content_type: 'image/png',
    description: 'a hill',
    size_bytes: 9,
  }
}

class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>()
  get length(): number {
    return this.#items.size
  }
  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value)
  }
  removeItem(key: string): void {
    this.#items.delete(key)
  }
  clear(): void {
    this.#items.clear()
  }
}
