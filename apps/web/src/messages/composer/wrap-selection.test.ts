import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksFor, wrapped } from './wrap-selection.ts'

function apply(written: string, marks: string): string {
  const [start, end] = [written.indexOf('['), written.indexOf(']') - 1]
  const after = wrapped({ text: written.replaceAll(/[[\]]/g, ''), start, end }, marks)
  const { text } = after
  return `${text.slice(0, after.start)}[${text.slice(after.start, after.end)}]${text.slice(after.end)}`
}

test('markup is added around the selection, and removed again', () => {
  assert.equal(apply('a [b] c', '**'), 'a **[b]** c')
  assert.equal(apply('a **[b]** c', '**'), 'a [b] c')
  assert.equal(apply('[]', '*'), '*[]*')
  assert.equal(apply('**[b]**', '*'), '***[b]***')
  assert.equal(apply('***[b]***', '*'), '**[b]**')
})

test('only the shortcuts of markup are handled', () => {
  assert.deepEqual(['b', 'I', 'u', 'k', 'constructor'].map(marksFor), ['**', '*', '__', undefined, undefined])
})
