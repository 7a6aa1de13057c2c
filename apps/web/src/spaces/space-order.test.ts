import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReady, sampleSpace, sampleUser } from '#src/store/samples.ts'
import { orderedSpaces } from '#src/store/selectors.ts'
import { createAppStore, type Store } from '#src/store/store.ts'
import { keepSpaceOrder } from './keep-space-order.ts'
import { moveSpace, positionAfterDrop, positionAfterStep } from './space-order.ts'

const ids = ['a', 'b', 'c']

test('SPACE-14: a space moves up and down by one, and not past the ends', () => {
  const positions = ids.map((id) => [positionAfterStep(ids, id, 'up'), positionAfterStep(ids, id, 'down')])
  assert.deepEqual(positions, [
    [null, { beforeId: 'c' }],
    [{ beforeId: 'a' }, { beforeId: null }],
    [{ beforeId: 'b' }, null],
  ])
})

test('SPACE-14: a dragged space lands before or after the one below it; its own position changes nothing', () => {
  const positionOver = (id: string, half: 'upper' | 'lower') => positionAfterDrop(ids, 'a', { id, half })
  assert.deepEqual(positionOver('c', 'upper'), { beforeId: 'c' })
  assert.deepEqual(positionOver('c', 'lower'), { beforeId: null })
  for (const half of ['upper', 'lower'] as const) assert.equal(positionOver('a', half), null)
  assert.equal(positionOver('b', 'upper'), null)
})

test('SPACE-14: the order is saved per account, new spaces come last, and signing out removes it', () => {
  const page = new FakePage()
  const first = open(page, 'me', ids)
  moveSpace(first, 'c', { beforeId: 'a' })
  assert.deepEqual(order(first.store), ['c', 'a', 'b'])
  assert.deepEqual(order(open(page, 'me', ['a', 'b', 'c', 'd']).store), ['c', 'a', 'b', 'd'])
  assert.deepEqual(order(open(page, 'other', ids).store), ids)
  first.kept.forget()
  assert.deepEqual(order(open(page, 'me', ids).store), ids)
})

test('SPACE-14: without storage, the order lasts until the page is closed', () => {
  const page = new FakePage()
  page.localStorage.setItem = () => {
    throw new Error('it is full')
  }
  const here = open(page, 'me', ids)
  moveSpace(here, 'c', { beforeId: 'a' })
  assert.deepEqual(order(here.store), ['c', 'a', 'b'])
})

test('SPACE-14: other tabs of the user follow', () => {
  const page = new FakePage()
  const [here, there] = [open(page, 'me', ids), open(page, 'me', ids)]
  moveSpace(here, 'a', { beforeId: null })
  page.fireStorage()
  assert.deepEqual(order(there.store), ['b', 'c', 'a'])
})

test('SPACE-14: an invalid stored order is ignored', () => {
  for (const text of ['{', '7', 'null', '{"user_id":"me"}', '{"user_id":"me","ids":[7]}']) {
    const page = new FakePage()
    page.localStorage.setItem('foyer.space-order', text)
    assert.deepEqual(order(open(page, 'me', ids).store), ids)
  }
})

class FakePage extends EventTarget {
  readonly #items = new Map<string, string>()
  readonly localStorage = {
    getItem: (key: string) => this.#items.get(key) ?? null,
    setItem: (key: string, text: string) => void this.#items.set(key, text),
    removeItem: (key: string) => void this.#items.delete(key),
  }

  /** Fires the event of a write by another tab. */
  fireStorage(): void {
    this.dispatchEvent(Object.assign(new Event('storage'), { key: 'foyer.space-order' }))
  }
}

function open(page: FakePage, userId: string, spaceIds: readonly string[]) {
  const store = createAppStore((show) => show())
  const kept = keepSpaceOrder(store, page)
  const user = { ...sampleReady().user, ...sampleUser(userId) }
  store.adopt('READY', sampleReady({ user, spaces: spaceIds.map((id) => sampleSpace(id)) }))
  return { store, kept }
}

function order(store: Store): string[] {
  return orderedSpaces(store.get()).map(({ id }) => id)
}
