import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choosePlan, type Facts } from './strategy.ts'

/** Two million messages, six thousand of them walked. */
function planFor(shares: readonly number[], { found = 0, isPrefix = true } = {}): string {
  const estimates = shares.map((share, index) => ({ clause: { query: `word${index}`, isPrefix }, share }))
  const facts: Facts = {
    tenantRows: 2e6,
    scopeRows: 2e6,
    walked: 6000,
    found,
    wanted: 26,
    walkCost: 0.8,
    estimates,
  }
  const plan = choosePlan(facts)
  return plan.kind === 'walk' ? 'walk' : plan.narrow.map(({ query }) => query).join(' ')
}

test('SEARCH-14: common words are found by walking, and rare ones by the index', () => {
  assert.equal(planFor([0.05]), 'walk')
  assert.equal(planFor([0.005], { found: 20 }), 'walk')
  assert.equal(planFor([0.0001]), 'word0')
  assert.equal(planFor([0.000001], { isPrefix: false }), 'word0')
})

test('SEARCH-14: as many clauses use the index as cost less than the messages they save', () => {
  assert.equal(planFor([0.2, 0.0001]), 'word1')
  assert.equal(planFor([0.02, 0.01]), 'word1 word0')
  assert.equal(planFor([0.03, 0.02, 0.04]), 'word1 word0')
  assert.equal(planFor([0.3, 0.2]), 'walk')
})

test('SEARCH-14: actual results count for more than estimates', () => {
  assert.equal(planFor([0.01, 0.01], { found: 10 }), 'walk')
  assert.equal(planFor([0.1, 0.1]), 'walk')
})

test('SEARCH-14: a search without a clause walks, in growing steps', () => {
  assert.equal(planFor([]), 'walk')
  const facts = { tenantRows: 2e6, scopeRows: 2e6, walked: 500, found: 0, wanted: 26, walkCost: 0.8 }
  assert.deepEqual(choosePlan({ ...facts, estimates: [] }), { kind: 'walk', rows: 2000 })
  assert.deepEqual(choosePlan({ ...facts, scopeRows: 600, estimates: [] }), { kind: 'walk', rows: 500 })
})
