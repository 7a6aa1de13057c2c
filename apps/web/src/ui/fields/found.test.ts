import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFound, nearness } from './found.ts'

function order(query: string, names: string[]): string[] {
  const found = names.flatMap((name) => {
    const near = nearness(query, name)
    return near === null ? [] : { name, near }
  })
  return found.sort((a, b) => b.near - a.near).map(({ name }) => name)
}

test('a full match comes before a prefix, a prefix before a word, and a word before the middle', () => {
  const names = ['in general', 'ageneral', 'general', 'general-chat']
  assert.deepEqual(order('general', names), ['general', 'general-chat', 'in general', 'ageneral'])
})

test('a name is found by the beginnings of its words, or by its letters in order', () => {
  assert.deepEqual(order('gch', ['general-chat', 'photos']), ['general-chat'])
  assert.deepEqual(order('gc', ['general-chat', 'photos']), ['general-chat'])
  assert.deepEqual(order('sun hik', ['Sunday hikers', 'Hikers']), ['Sunday hikers'])
  assert.deepEqual(order('annce', ['announcements', 'photos']), ['announcements'])
})

test('other names are not found', () => {
  assert.equal(isFound('xyz', 'general', 'photos'), false)
  assert.equal(isFound('ln', 'general'), false)
  assert.equal(isFound('', 'general'), true)
})

test('case, accents and forms of letters do not matter', () => {
  assert.equal(isFound('jose', 'José'), true)
  assert.equal(isFound('ΣΑ', 'σαλόνι'), true)
  assert.equal(isFound('ｃａｆｅ', 'Café'), true)
})
