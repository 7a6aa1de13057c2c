import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReady, sampleSpace, sampleUser } from '#src/store/samples.ts'
import { orderedSpaces } from '#src/store/selectors.ts'
import { createAppStore, type Store } from '#src/store/store.ts'
import { keepSpaceOrder } from './keep-space-order.ts'
import { moveSpace, placeAt, placeOnWay } from './space-order.ts'

const ids = ['a', 'b', 'c']

test('SPACE-14: one goes up and down by one, and not beyond the ends', () => {
  const places = ids.map((id) => [placeOnWay(ids, id, 'up'), placeOnWay(ids, id, 'down')])
  assert.deepEqual(places, [
    [null, { beforeId: 'c' }],
    [{ beforeId: 'a' }, { beforeId: null }],
    [{ beforeId: 'b' }, null],
  ])
})

test('SPACE-14: one that is dragged comes before or behind what it is over, and where it is nothing happens', () => {
  const placeOver = (id: string, half: 'upper' | 'lower') => placeAt(ids, 'a', { id, half })
  assert.deepEqual(placeOver('c', 'upper'), { beforeId: 'c' })
  assert.deepEqual(placeOver('c', 'lower'), { beforeId: null })
  for (const half of ['upper', 'lower'] as const) assert.equal(placeOver('a', half), null)
  assert.equal(placeOver('b', 'upper'), null)
})

test('SPACE-14: what was ordered is kept for the account alone, new spaces come behind, and who signs out leaves nothing', () => {
  const page = new FakePage()
  const first = open(page, 'me', ids)
  moveSpace(first, 'c', { beforeId: 'a' })
  assert.deepEqual(order(first.store), ['c', 'a', 'b'])
  assert.deepEqual(order(open(page, 'me', ['a', 'b', 'c', 'd']).store), ['c', 'a', 'b', 'd'])
  assert.deepEqual(order(open(page, 'other', ids).store), ids)
  first.kept.forget()
  assert.deepEqual(order(open(page, 'me', ids).store), ids)
})

test('SPACE-14: where the browser keeps nothing the order lasts as long as the page', () => {
  const page = new FakePage()
  page.localStorage.setItem = () => {
    throw new Error('it is full')
  }
  const here = open(page, 'me', ids)
  moveSpace(here, 'c', { beforeId: 'a' })
  assert.deepEqual(order(here.store), ['c', 'a', 'b'])
})

test('SPACE-14: another tab of the same person follows', () => {
  const page = new FakePage()
  const [here, there] = [open(page, 'me', ids), open(page, 'me', ids)]
  moveSpace(here, 'a', { beforeId: null })
  page.tell()
  assert.deepEqual(order(there.store), ['b', 'c', 'a'])
})

test('SPACE-14: what is kept and no order counts for nothing', () => {
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

  /** That another tab has written. */
  tell(): void {
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
