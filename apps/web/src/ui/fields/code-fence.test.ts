import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInFence } from './code-fence.ts'

test('a block of code lasts from one fence to the next, or to the end', () => {
  const text = 'so:\n```js\nlet a\n```\nand'
  const within = (part: string) => isInFence(text, text.indexOf(part))
  assert.deepEqual([within('so:'), within('js'), within('let a'), within('and')], [false, true, true, false])
  assert.equal(isInFence('```js', 5), true)
  assert.equal(isInFence('``', 2), false)
  assert.equal(isInFence('`a` and ``b``', 13), false)
})
