import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Puzzle, PuzzleSolution } from '@foyer/protocol/puzzle'
import { Administration } from '@foyer/sdk/api/administration'
import { Client } from '@foyer/sdk/client'
import { solvePuzzle } from '@foyer/sdk/puzzle'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { emailOf, send } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { newAddress, puzzleFor, solutionFor, startCrowded, trySignUp } from '#test/scenes/puzzles.ts'
import { TEST_PASSWORD, type TestServer } from '#test/server.ts'

suite('a server that always asks for a puzzle', () => {
  let server: TestServer
  let ada: Person

  before(async () => {
    server = await startCrowded({ signupPuzzle: 'always' })
    assert.equal(await trySignUp(server), 200, 'PUZZLE-4: the first account needs none')
    ada = await createOperator(server, 'ada')
  })
  after(() => server.close())

  test('PUZZLE-3: without a solution, sign-up is refused; with one, it makes an account', async () => {
    assert.equal(await trySignUp(server), 'puzzle_required')
    assert.equal(await trySignUp(server, { puzzle: null }), 'puzzle_required')
    const address = newAddress()
    assert.equal(await trySignUp(server, { puzzle: await solutionFor(server, address) }, address), 200)
  })

  test('PUZZLE-4: an invite of an operator needs none, and one to a space does', async () => {
    const { code } = await ada.client.api(Administration).createInvite()
    assert.equal(await trySignUp(server, { invite: 'guess' }), 'puzzle_required')
    assert.equal(await trySignUp(server, { invite: code }), 200)
    assert.equal(await trySignUp(server, { invite: code }), 'puzzle_required', 'it is used up')
    const { space, rooms } = await ada.client.spaces.create({ name: 'A space' })
    const invite = await ada.client.invites.create(space.id, rooms[1]?.id ?? '')
    assert.equal(await trySignUp(server, { invite: invite.code }), 'puzzle_required')
  })

  test('PUZZLE-5: a solution makes one account, also of several at once', async () => {
    const address = newAddress()
    const puzzle = await solutionFor(server, address)
    const answers = await Promise.all([1, 2, 3].map(() => trySignUp(server, { puzzle }, address)))
    assert.deepEqual(answers.sort(), [200, 'invalid_puzzle', 'invalid_puzzle'])
    assert.equal(await trySignUp(server, { puzzle }, address), 'invalid_puzzle')
  })

  test('PUZZLE-5: a solution counts for the network that asked for the puzzle', async () => {
    const puzzle = await solutionFor(server, '2001:db8:1:1::1')
    assert.equal(await trySignUp(server, { puzzle }, '2001:db8:1:2::1'), 'invalid_puzzle')
    assert.equal(await trySignUp(server, { puzzle }, '2001:db8:1:1::2'), 200)
  })

  test('PUZZLE-5: a solution that comes after ten minutes is refused', async (t) => {
    const address = newAddress()
    const [late, early] = [await solutionFor(server, address), await solutionFor(server, address)]
    const start = Date.now()
    t.mock.timers.enable({ apis: ['Date'], now: start + 9 * 60_000 })
    assert.equal(await trySignUp(server, { puzzle: early }, address), 200)
    t.mock.timers.setTime(start + 10 * 60_000)
    assert.equal(await trySignUp(server, { puzzle: late }, address), 'invalid_puzzle')
  })

  test('PUZZLE-5: wrong, missing and forged parts are refused, and do not use the puzzle up', async () => {
    const address = newAddress()
    const { token, nonces } = await solutionFor(server, address)
    const [id = '', tries = '', expiresAt = '', mac = ''] = token.split('.')
    const other = await solutionFor(server, address)
    const wrong: Record<string, PuzzleSolution> = {
      'nonces of other parts': { token, nonces: nonces.toReversed() },
      'nonces of another puzzle': { token, nonces: other.nonces },
      'no nonces': { token, nonces: [] },
      'too few nonces': { token, nonces: nonces.slice(1) },
      'too many nonces': { token, nonces: [...nonces, 0] },
      'fewer tries': { token: [id, '1', expiresAt, mac].join('.'), nonces },
      'a later end': { token: [id, tries, Number(expiresAt) + 1, mac].join('.'), nonces },
      'another id': { token: [`${id}x`, tries, expiresAt, mac].join('.'), nonces },
      'no MAC': { token: [id, tries, expiresAt].join('.'), nonces },
      'an empty token': { token: '', nonces },
    }
    for (const [name, puzzle] of Object.entries(wrong))
      assert.equal(await trySignUp(server, { puzzle }, address), 'invalid_puzzle', name)
    assert.equal(await trySignUp(server, { puzzle: { token, nonces } }, address), 200)
  })

  test('PUZZLE-5: what is no solution by its form is refused as any body', async () => {
    const long = 'x'.repeat(2 ** 20)
    for (const puzzle of [
      { token: long, nonces: [] },
      { token: 'x', nonces: Array(200).fill(0) },
      { token: 'x', nonces: [-1] },
      { token: 'x', nonces: [0.5] },
      { token: 'x', nonces: [2 ** 32] },
      { token: 'x' },
      'solved',
    ]) {
      const answer = await trySignUp(server, { puzzle })
      const isRefused = ['invalid_request', 'body_too_large'].includes(`${answer}`)
      assert.ok(isRefused, `${JSON.stringify(puzzle).slice(0, 60)}: ${answer}`)
    }
  })

  test('PUZZLE-3: a wrong solution is refused without the database', async () => {
    const address = newAddress()
    const { token, nonces } = await solutionFor(server, address)
    const lock = await holdLock(server, sql`lock table users in access exclusive mode`)
    try {
      const puzzle = { token, nonces: nonces.toReversed() }
      assert.equal(await trySignUp(server, { puzzle }, address), 'invalid_puzzle')
    } finally {
      await lock.release()
    }
  })

  test('PUZZLE-6: a sign-up that makes no account leaves its solution usable', async () => {
    const address = newAddress()
    const puzzle = await solutionFor(server, address)
    assert.equal(await trySignUp(server, { puzzle, username: 'ada' }, address), 'username_taken')
    assert.equal(await trySignUp(server, { puzzle }, address), 200)
    assert.equal(await trySignUp(server, { puzzle }, address), 'invalid_puzzle')
  })

  test('PUZZLE-6: an application uses its solution up', async () => {
    await ada.client.api(Administration).updateRegistration({ mode: 'approval' })
    const address = newAddress()
    const puzzle = await solutionFor(server, address)
    assert.equal(await trySignUp(server, { puzzle }, address), 'approval_pending')
    assert.equal(await trySignUp(server, { puzzle }, address), 'invalid_puzzle')
    await ada.client.api(Administration).updateRegistration({ mode: 'open' })
  })

  test('PUZZLE-8: the SDK solves the puzzle by itself, or lets the caller do so', async () => {
    const body = (username: string) => ({ username, email: emailOf(username), password: TEST_PASSWORD })
    const { auth } = new Client({ baseUrl: server.url })
    const result = await auth.signin(body('solver'))
    assert.equal(result.user.username, 'solver')
    let solved = 0
    const own = async (puzzle: Puzzle) => {
      solved += 1
      return solvePuzzle(puzzle)
    }
    await auth.signin(body('solver2'), { solvePuzzle: own })
    assert.equal(solved, 1)
    const before = await auth.getPuzzle()
    assert.ok(before.puzzle !== null)
    await auth.signin({ ...body('solver3'), puzzle: await solvePuzzle(before.puzzle) }, { solvePuzzle: own })
    assert.equal(solved, 1, 'a solution that is given is used')
    const wrong = async ({ token }: Puzzle) => ({ token, nonces: [] })
    await assert.rejects(auth.signin(body('solver4'), { solvePuzzle: wrong }), { code: 'invalid_puzzle' })
  })

  test('RATE-3: an address gets 60 puzzles a minute', async () => {
    const address = newAddress()
    for (let asked = 0; asked < 60; asked += 1) assert.ok((await puzzleFor(server, address)) !== null)
    const headers = { 'x-forwarded-for': address }
    assert.equal((await send(server, 'GET', '/api/auth/puzzle', { headers })).status, 429)
  })

  test('PUZZLE-1: operators change when a puzzle is needed, while the server runs', async () => {
    await ada.client.api(Administration).updateRegistration({ puzzle: 'off' })
    assert.equal(await trySignUp(server), 200)
    assert.equal(await puzzleFor(server), null)
    const rules = await ada.client.api(Administration).updateRegistration({ puzzle: 'always' })
    assert.equal(rules.puzzle, 'always')
    assert.equal(await trySignUp(server), 'puzzle_required')
    const [entry] = (await ada.client.api(Administration).log({ action: 'registration_update' })).entries
    assert.deepEqual(entry?.details, { before: { ...rules, puzzle: 'off' }, after: rules })
    const bad = await ada.call('PATCH', '/api/operator/registration', { puzzle: 'sometimes' })
    assert.deepEqual([bad.status, bad.code], [400, 'invalid_request'])
  })
})

test('PUZZLE-1: without rate limits there are no puzzles', async () => {
  const server = await startCrowded({ signupPuzzle: 'always', rateLimits: false })
  try {
    await createPerson(server, 'first')
    assert.equal(await puzzleFor(server), null)
    assert.equal(await trySignUp(server), 200)
  } finally {
    await server.close()
  }
})
