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

test('the whole name comes before its beginning, that before a word of it, and that before its middle', () => {
  const names = ['in general', 'ageneral', 'general', 'general-chat']
  assert.deepEqual(order('general', names), ['general', 'general-chat', 'in general', 'ageneral'])
})

test('the beginnings of words find a name, and so do its letters in their order', () => {
  assert.deepEqual(order('gch', ['general-chat', 'photos']), ['general-chat'])
  assert.deepEqual(order('gc', ['general-chat', 'photos']), ['general-chat'])
  assert.deepEqual(order('sun hik', ['Sunday hikers', 'Hikers']), ['Sunday hikers'])
  assert.deepEqual(order('annce', ['announcements', 'photos']), ['announcements'])
})

test('what is not meant is not found', () => {
  assert.equal(isFound('xyz', 'general', 'photos'), false)
  assert.equal(isFound('ln', 'general'), false)
  assert.equal(isFound('', 'general'), true)
})

test('case, accents and forms of letters do not matter', () => {
  assert.equal(isFound('jose', 'José'), true)
  assert.equal(isFound('ΣΑ', 'σαλόνι'), true)
  assert.equal(isFound('ｃａｆｅ', 'Café'), true)
})
