import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeNode, highlight } from './highlight.ts'
import { languageId, languageName } from './languages.ts'

test('code is split into scopes without losing text', async () => {
  const text = 'const a = "x" // y'
  const nodes = await highlight('javascript', text)
  assert.equal(textOf(nodes), text)
  const scopes = nodes.flatMap((node) => (typeof node === 'string' ? [] : [node.scope]))
  assert.deepEqual(scopes, ['keyword', 'string', 'comment'])
})

test('languages are found by their aliases', () => {
  assert.deepEqual(['ts', 'c++', 'yml', 'python'].map(languageId), ['typescript', 'cpp', 'yaml', 'python'])
  for (const unknown of ['klingon', 'constructor', '']) assert.equal(languageId(unknown), undefined)
  assert.deepEqual(['ts', 'klingon'].map(languageName), ['TypeScript', 'klingon'])
})

function textOf(nodes: readonly CodeNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')
}
