import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { LocalCounters } from '#src/kernel/limits/local-counters.ts'
import { startKernel, type TestKernel } from '#test/kernel.ts'
import { until } from '#test/until.ts'
import type { Caller, GivenCredential } from '../secrets/credentials.ts'
import type { App } from './types.ts'

const FLOOD = 120
const BOTS = 4

let kernel: TestKernel
const arrived: string[] = []
const begun: string[] = []
const polls = Promise.withResolvers<void>()

before(async () => {
  kernel = await startKernel(addRoutes, {
    credentials: { authenticate: async (given) => callerOf(given) },
    rateCounters: new LocalCounters(),
  })
})
after(() => kernel.app.close())
beforeEach(() => {
  arrived.length = 0
  begun.length = 0
})

function addRoutes(app: App): void {
  app.get('/:spaceId', async ({ caller }) => {
    begun.push(caller.user.id)
    return {}
  })
  app.get('/polls', async () => {
    await polls.promise
    return {}
  })
}

/** `ann` is a person, `bot 1 of ann` one of her bots. */
function callerOf({ authorization: id = '' }: GivenCredential): Caller {
  arrived.push(id)
  const texts = { id, username: id, custom: '', created_at: '', updated_at: '' }
  const nulls = {
    alias: null,
    avatar: null,
    banner: null,
    birthdate: null,
    phone: null,
    custom_until: null,
    web_presence: 'name' as const,
  }
  const ownerId = /^bot \d+ of (.+)$/.exec(id)?.[1]
  const is_bot = ownerId !== undefined
  const user = { ...texts, ...nulls, deleted_at: null, flags: 0, badges: 0, is_bot, email_verified: true }
  return is_bot
    ? { kind: 'bot', user, ownerId }
    : { kind: 'human', user, sessionId: id, expiresAt: 0, hasSecondFactor: false }
}

async function ask(as: string, path = '/1'): Promise<number> {
  const { status } = await kernel.fetch(path, { headers: { authorization: as } })
  return status
}

/** Requests of four bots of each of these owners, in turn. All have arrived when it resolves. */
async function flood(owners: readonly string[]): Promise<Promise<number>[]> {
  const askAs = (number: number) => ask(`bot ${number % BOTS} of ${owners[number % owners.length]}`)
  const asked = Array.from({ length: FLOOD }, (_, number) => askAs(number))
  await until(async () => arrived.length === FLOOD, 'the flood has arrived')
  return asked
}

test('RATE-19: requests of one owner’s bots begin one after another, with those of others in between', async () => {
  const asked = await flood(['eve'])
  assert.equal(await ask('bob'), 200)
  assert.equal(await ask('bot 1 of bob'), 200)
  const position = begun.indexOf('bot 1 of bob')
  assert.ok(position < FLOOD, `it was request ${position}`)
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]))
  assert.equal(begun.length, FLOOD + 2)
})

test('RATE-19: a request that takes long delays no other of the same owner', async () => {
  const polling = Array.from({ length: BOTS }, (_, number) => ask(`bot ${number} of ida`, '/polls'))
  await until(async () => arrived.length === BOTS, 'the polls have arrived')
  assert.equal(await ask('bot 0 of ida'), 200)
  polls.resolve()
  assert.deepEqual(new Set(await Promise.all(polling)), new Set([200]))
})
