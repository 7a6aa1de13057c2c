import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import type { PuzzleSolution } from '@foyer/protocol/puzzle'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { LocalCounters } from '#src/kernel/limits/local-counters.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson } from '#test/scenes/people.ts'
import {
  crowded,
  newAddress,
  puzzleFor,
  signUpUsual,
  solutionFor,
  startCrowded,
  trySignUp,
  USUAL_SIGNUPS,
} from '#test/scenes/puzzles.ts'
import { puzzleWork, startOwnServer, type TestServer } from '#test/server.ts'
import { SignupSensor } from './sensor.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** Time between the tests, after which an attack is over. Many sign-ups on a single day are not usual yet. */
const HOUR_MS = 60 * 60_000

let server: TestServer
let start = Date.now()

before(async () => {
  server = await startCrowded()
  await createPerson(server, 'first')
})
after(() => server.close())

beforeEach(() => {
  start += HOUR_MS
  mock.timers.enable({ apis: ['Date'], now: start })
})
afterEach(() => mock.timers.reset())

test('PUZZLE-2: under attack a sign-up needs a puzzle, for a quarter of an hour', async () => {
  assert.equal(await puzzleFor(server), null)
  await signUpUsual([server])
  const address = newAddress()
  assert.equal((await puzzleFor(server, address))?.tries, puzzleWork.attackTries)
  assert.equal(await trySignUp(server), 'puzzle_required')
  assert.equal(await trySignUp(server, { puzzle: await solutionFor(server, address) }, address), 200)
  mock.timers.setTime(start + QUARTER_MS - 5000)
  assert.equal(await trySignUp(server), 'puzzle_required')
  mock.timers.setTime(start + QUARTER_MS)
  assert.equal(await puzzleFor(server), null)
  assert.equal(await trySignUp(server), 200)
})

test('PUZZLE-2: of many simultaneous sign-ups, only as many pass as are usual', async () => {
  const answers = await Promise.all(Array.from({ length: 2 * USUAL_SIGNUPS }, () => trySignUp(server)))
  assert.equal(answers.filter((answer) => answer === 200).length, USUAL_SIGNUPS)
  assert.equal(answers.filter((answer) => answer === 'puzzle_required').length, USUAL_SIGNUPS)
})

test('PUZZLE-2: sign-ups that make no account are no attack', async () => {
  for (let tried = 0; tried < 2 * USUAL_SIGNUPS; tried += 1)
    assert.equal(await trySignUp(server, { username: 'first' }), 'username_taken')
  assert.equal(await trySignUp(server), 200)
})

test('PUZZLE-2: nor are tries that are under way at once and make no account', async () => {
  const { database, log } = server.deps
  const sensor = new SignupSensor({ database, log, counters: new LocalCounters() })
  for (let begun = 0; begun < USUAL_SIGNUPS; begun += 1) assert.ok(await sensor.take())
  assert.equal(await sensor.take(), false, 'too many are under way')
  for (let failed = 0; failed < USUAL_SIGNUPS; failed += 1) await sensor.giveBack()
  assert.equal(await sensor.isAttack(), false)
  assert.ok(await sensor.take())
  for (let begun = 1; begun < USUAL_SIGNUPS; begun += 1) await sensor.take()
  for (let done = 0; done < USUAL_SIGNUPS; done += 1) await sensor.confirm()
  assert.equal(await sensor.take(), false)
  assert.ok(await sensor.isAttack())
})

test('PUZZLE-2: three times as many as on a usual day are an attack', async () => {
  for (let day = 1; day <= 7; day += 1) await addUsers(Date.now() - (day - 0.5) * DAY_MS)
  for (let done = 0; done < 30; done += 1) assert.equal(await trySignUp(server), 200)
  assert.equal(await trySignUp(server), 'puzzle_required')
})

/** Adds ten accounts of the same time. */
async function addUsers(time: number): Promise<void> {
  const ids = Array.from({ length: 10 }, () => firstIdAt(time).slice(0, 24) + newId().slice(24))
  await server.deps.database.execute(sql`
    insert into users (id, username) select id, 'earlier_' || id from unnest(${ids}::uuid[]) id`)
}

test('PUZZLE-7: a puzzle of before the attack is too easy for it, and the work is larger also in mode always', async () => {
  assert.ok(puzzleWork.attackTries > puzzleWork.restTries)
  const times = { puzzleWork: { ...puzzleWork, restTries: 1 } }
  const careful = await startOwnServer({ ...crowded, signupPuzzle: 'always' }, times)
  try {
    await createPerson(careful, 'first')
    const early = newAddress()
    const easy = await guessFor(careful, early)
    for (let done = 0; done < USUAL_SIGNUPS; done += 1) {
      const address = newAddress()
      assert.equal(await trySignUp(careful, { puzzle: await guessFor(careful, address) }, address), 200)
    }
    assert.equal(await trySignUp(careful, { puzzle: easy }, early), 'invalid_puzzle')
    const puzzle = await puzzleFor(careful, early)
    assert.equal(puzzle?.tries, puzzleWork.attackTries)
    assert.equal(await trySignUp(careful, { puzzle: await solutionFor(careful, early) }, early), 200)
  } finally {
    await careful.close()
  }
})

/** Returns the first nonces to try, which solve a puzzle of one expected try. */
async function guessFor(server: TestServer, address: string): Promise<PuzzleSolution> {
  const puzzle = await puzzleFor(server, address)
  assert.equal(puzzle?.tries, 1)
  return { token: puzzle.token, nonces: Array(puzzle.parts).fill(0) }
}
