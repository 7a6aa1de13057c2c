import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { crowded, newAddress, puzzleFor, signUpUsual, solutionFor, trySignUp } from '#test/scenes/puzzles.ts'
import { until } from '#test/until.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

const skip = withoutValkey

let processes: Processes
before(async () => {
  if (skip === false) processes = await startProcesses([crowded, crowded])
})
after(() => processes?.close())

test('PUZZLE-2: sign-ups count over all processes, and all of them are under attack', { skip }, async () => {
  const [one, two] = processes.servers
  await createOperator(one, 'ada')
  await signUpUsual([one, two])
  assert.equal(await trySignUp(one), 'puzzle_required')
  assert.equal(await trySignUp(two), 'puzzle_required')
})

test('PUZZLE-5: a puzzle of one process can be used at another, once over all of them', {
  skip,
}, async () => {
  const [one, two] = processes.servers
  const address = newAddress()
  const puzzle = await solutionFor(one, address)
  assert.equal(await trySignUp(two, { puzzle }, address), 200)
  assert.equal(await trySignUp(one, { puzzle }, address), 'invalid_puzzle')
  assert.equal(await trySignUp(two, { puzzle }, address), 'invalid_puzzle')
})

test('PUZZLE-1: a change of the setting applies on every process', { skip }, async () => {
  const [one, two] = processes.servers
  const ben = await createOperator(one, 'ben')
  await ben.client.api(Administration).updateRegistration({ puzzle: 'off' })
  await until(async () => (await puzzleFor(two)) === null, 'the change arrives')
  assert.equal(await trySignUp(two), 200)
})
