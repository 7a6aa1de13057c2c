import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SteadyStorage } from './steady-storage.ts'

/** A browser's storage: it takes values of one letter, until it ignores all writes without an error. */
class BrowserStorage {
  readonly kept = new Map<string, string>()
  isShut = false

  get length(): number {
    return this.#open().size
  }

  key(index: number): string | null {
    return [...this.#open().keys()][index] ?? null
  }

  getItem(key: string): string | null {
    return this.#open().get(key) ?? null
  }

  setItem(key: string, value: string): void {
    if (value.length > 1) throw new DOMException('full', 'QuotaExceededError')
    this.#open().set(key, value)
  }

  removeItem(key: string): void {
    this.#open().delete(key)
  }

  #open(): Map<string, string> {
    if (this.isShut) throw new DOMException('denied', 'SecurityError')
    return this.kept
  }
}

function contentOf(storage: SteadyStorage): Record<string, string | null> {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  return Object.fromEntries(keys.map((key) => [key, storage.getItem(key)]))
}

test('values that the browser accepts are only stored there', () => {
  const browser = new BrowserStorage()
  new SteadyStorage(browser).setItem('a', '1')
  assert.deepEqual(contentOf(new SteadyStorage(browser)), { a: '1' })
})

test('values that do not fit are kept in memory, and replaced by later ones that fit', () => {
  const browser = new BrowserStorage()
  const storage = new SteadyStorage(browser)
  storage.setItem('a', '1')
  storage.setItem('a', 'long')
  storage.setItem('b', 'long')
  assert.deepEqual(contentOf(storage), { a: 'long', b: 'long' })
  storage.setItem('a', '2')
  assert.deepEqual(contentOf(storage), { a: '2', b: 'long' })
  browser.setItem('b', '3')
  storage.drop('b')
  assert.deepEqual(contentOf(storage), { a: '2', b: '3' })
})

test('values that cannot be read back are kept in memory', () => {
  const browser = new BrowserStorage()
  browser.getItem = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const storage = new SteadyStorage(browser)
  storage.setItem('a', '1')
  assert.equal(storage.getItem('a'), '1')
})

test('all values are kept in memory if the browser refuses everything', () => {
  const browser = new BrowserStorage()
  browser.setItem('old', '1')
  browser.isShut = true
  for (const storage of [new SteadyStorage(browser), new SteadyStorage(undefined)]) {
    assert.deepEqual(contentOf(storage), {})
    storage.setItem('a', '1')
    storage.setItem('b', '2')
    storage.removeItem('a')
    storage.removeItem('old')
    assert.equal(storage.getItem('a'), null)
    assert.deepEqual(contentOf(storage), { b: '2' })
  }
})
