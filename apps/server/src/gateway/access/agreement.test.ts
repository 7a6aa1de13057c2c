import { after, before, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import fc from 'fast-check'
import { closeArena, openArena, returnAll, step, type Turn } from '#test/model/agreement.ts'
import type { Dice } from '#test/model/changes.ts'
import { createPerson } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const RUNS = Number(process.env.AGREEMENT_RUNS ?? 3)
const STEPS = 24
/** Fewer histories on a slow machine. Each run has other ones. */
const MAX_MS = process.env.AGREEMENT_RUNS === undefined ? 10_000 : Infinity

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/**
 * The permissions that decide about other changes. Few at a time; otherwise nearly everything is allowed, or nothing
 * is.
 */
const flags = fc.oneof(
  fc
    .subarray([
      Permission.ViewChannels,
      Permission.SendMessages,
      Permission.ManageChannels,
      Permission.ManageRoles,
    ])
    .map((bits) => bits.reduce((all, bit) => all | bit, 0)),
  fc.constant(Permission.ViewChannels),
  fc.constant(0),
  fc.constant(Permission.Administrator),
  fc.integer({ min: 0, max: ALL_PERMISSIONS }),
)
const number = fc.nat({ max: 9999 })
const dice: fc.Arbitrary<Dice> = fc.record({
  kind: number,
  // The first is the owner at the start. Half of the changes are theirs, so that most succeed.
  actor: fc.oneof(fc.constant(0), number),
  first: number,
  second: number,
  flags,
  more: flags,
})

const turn: fc.Arbitrary<Turn> = fc.record({ dice, other: fc.option(dice), roamer: fc.nat({ max: 9 }) })

let people = 0

test('ACCESS-1: answers, READY and received events agree with the rules after any changes in any order', async () => {
  const histories = fc.array(turn, { minLength: STEPS, maxLength: STEPS, size: 'max' })
  const deadline = Date.now() + MAX_MS
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      if (Date.now() > deadline) return
      const names = ['owner', 'ann', 'bob', 'cat', 'outsider']
      const cast = await Promise.all(names.map((name) => createPerson(server, `${name}${people++}`)))
      const arena = await openArena(server, cast)
      try {
        for (const each of history) await step(arena, each)
        for (const each of history.slice(-1)) await returnAll(arena, each)
      } finally {
        closeArena(arena)
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
