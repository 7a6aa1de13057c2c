import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Freshness } from '#src/kernel/cluster/freshness.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import type { StoredPage } from './making/storing.ts'
import { PageCache } from './page-cache.ts'

const page: StoredPage = {
  type: 'text/plain',
  etag: '"1"',
  isIndexed: true,
  links: undefined,
  compressed: Buffer.from('page'),
}

let cache: PageCache
let freshness: Freshness
let change: (id: string) => void

beforeEach(() => {
  freshness = new Freshness()
  cache = new PageCache(freshness)
  change = (id) => cache.receive([updateOf(id)])
})

function updateOf(id: string): Event {
  return Object.assign(Object.create(null), {
    name: 'USER_UPDATE',
    topic: { kind: 'user', tenantId: id, channelId: id },
    data: JSON.stringify({ id }),
  })
}

/** Keeps a page that shows people. Returns a function that counts the ids read since the last call. */
function keep(people: number): () => number {
  const ids = Array.from({ length: people }, (_, index) => `person ${index}`)
  let reads = 0
  const shown = new Proxy(ids, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
      return Reflect.get(target, key, receiver)
    },
  })
  cache.keep('/page', { page, shown, madeAt: cache.begin(), until: Number.POSITIVE_INFINITY })
  return () => {
    const count = reads
    reads = 0
    return count
  }
}

test('WEBPAGE-12: a kept sitemap of many people is found without looking at each of them', () => {
  const countReads = keep(49_000)
  countReads()
  change('someone else')
  for (let count = 0; count < 10; count += 1) assert.equal(cache.find('/page'), page)
  assert.equal(countReads(), 0)
})

test('WEBPAGE-5: a change of one of many people is on the next answer', () => {
  keep(49_000)
  for (let count = 0; count < 500; count += 1) change(`stranger ${count}`)
  assert.equal(cache.find('/page'), page)
  change('person 48999')
  for (let count = 0; count < 400; count += 1) change(`stranger ${count}`)
  assert.equal(cache.find('/page'), undefined)
})

test('WEBPAGE-5: a change that was followed by many others is on the next answer', () => {
  for (const people of [1, 500, 5000]) {
    keep(people)
    change('person 0')
    for (let count = 0; count < 3000; count += 1) change(`stranger ${count}`)
    assert.equal(cache.find('/page'), undefined, `${people} people`)
  }
})

test('WEBPAGE-12: a page of few people stays through any number of other changes, until the last are not known', () => {
  keep(20)
  for (let count = 0; count < 3000; count += 1) change(`stranger ${count}`)
  assert.equal(cache.find('/page'), page)
  for (let count = 0; count < 3000; count += 1) change(`stranger ${count}`)
  assert.equal(cache.find('/page'), page)
})

test('WEBPAGE-5: a change while a page was made keeps nobody from making it again', () => {
  const madeAt = cache.begin()
  change('person 0')
  cache.keep('/page', { page, shown: ['person 0'], madeAt, until: Number.POSITIVE_INFINITY })
  assert.equal(cache.find('/page'), undefined)
})

test('WEBPAGE-5: a page that was begun before events may have been missed is not sent afterwards', () => {
  const madeAt = cache.begin()
  freshness.end()
  freshness.holdUntil(Number.POSITIVE_INFINITY)
  assert.equal(cache.find('/another'), undefined)
  cache.keep('/page', { page, shown: ['person 0'], madeAt, until: Number.POSITIVE_INFINITY })
  assert.equal(cache.find('/page'), undefined)
})

test('WEBPAGE-5: a page stays through entries of the audit log, and not through changes of its space', () => {
  const ofSpace = (name: string): Event =>
    Object.assign(Object.create(null), { name, topic: { kind: 'space', tenantId: 'space' }, data: '{}' })
  const shown = ['space']
  cache.keep('/page', { page, shown, madeAt: cache.begin(), until: Number.POSITIVE_INFINITY })
  cache.receive([ofSpace('AUDIT_LOG_ENTRY_CREATE')])
  assert.equal(cache.find('/page'), page)
  cache.receive([ofSpace('SPACE_UPDATE')])
  assert.equal(cache.find('/page'), undefined)
})
