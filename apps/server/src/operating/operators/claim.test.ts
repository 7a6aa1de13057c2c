import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { send } from '#test/scenes/accounts.ts'
import { createApplicationBot } from '#test/scenes/people.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { firstBecomesOperator, keepClaimLink } from './claim-link.ts'
import { insertClaim } from './claims.ts'

const FILE = 'operator-link'

function tokenOf(link = ''): string {
  return new URL(link).hash.slice(1)
}

test('OPERATOR-1: only a server that its own machine alone can reach makes its first account the operator', () => {
  const decide = (host: string, publicUrl?: string, trustedProxies: string[] = []) =>
    firstBecomesOperator({ host, publicUrl, trustedProxies })
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) assert.equal(decide(host), true, host)
  for (const host of ['0.0.0.0', '::', '192.168.1.5', 'chat.example.org'])
    assert.equal(decide(host), false, host)
  assert.equal(decide('127.0.0.1', 'https://chat.example.org'), false)
  assert.equal(decide('127.0.0.1', 'http://localhost:8080'), true)
  assert.equal(decide('127.0.0.1', undefined, ['127.0.0.1']), false, 'a proxy lets others in')
})

test('OPERATOR-1: on loopback, the first account is the operator, and there is no link', async () => {
  const server = await startOwnServer()
  try {
    assert.equal(server.claimLink, undefined)
    await assert.rejects(stat(join(server.dataDir, FILE)), { code: 'ENOENT' })
    const { instance } = new Client({ baseUrl: server.url })
    assert.equal((await instance.get()).awaits_operator, false)
    const first = await server.signUp('first')
    assert.equal((await first.api(Administration).list()).length, 1)
    assert.equal((await instance.get()).awaits_operator, false)
    const { entries } = await first.api(Administration).log()
    assert.deepEqual(
      entries.map(({ action, actor_id }) => [action, actor_id]),
      [['operator_grant', null]],
    )
    const second = await server.signUp('second')
    await assert.rejects(second.api(Administration).list(), { code: 'operator_only' })
  } finally {
    await server.close()
  }
})

suite('a server that others can reach', () => {
  let server: TestServer
  before(async () => {
    server = await startOwnServer({ publicUrl: 'https://chat.example.org' })
  })
  after(() => server.close())

  test('OPERATOR-2: the link is in a file that only its owner can read, and the same after a restart', async () => {
    const link = server.claimLink ?? ''
    assert.match(link, /^https:\/\/chat\.example\.org\/claim#[\w-]{43}$/)
    const told = await new Client({ baseUrl: server.url }).instance.get()
    assert.deepEqual([told.is_empty, told.awaits_operator], [true, true])
    const path = join(server.dataDir, FILE)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.equal(await readFile(path, 'utf8'), `${link}\n`)
    assert.equal(await keepClaimLink(server.deps, server.url), link)
  })

  test('OPERATOR-2: whoever comes first is no operator; the link makes one person it, once', async () => {
    const [first, owner] = [await server.signUp('first'), await server.signUp('owner')]
    const me = await first.users.me()
    assert.equal(me.flags, 0)
    await assert.rejects(first.api(Administration).list(), { code: 'operator_only' })
    await assert.rejects(first.api(Administration).claim('guess'), { status: 400, code: 'invalid_token' })
    const bot = await createApplicationBot(server, { client: first }, { name: 'Claimer' })
    const token = tokenOf(server.claimLink)
    assert.equal((await bot.call('POST', '/api/operator/claim', { token })).code, 'bots_not_allowed')
    const operator = await owner.api(Administration).claim(token)
    assert.deepEqual([operator.user.username, operator.granted_by], ['owner', null])
    assert.equal((await owner.users.me()).flags, 1)
    await assert.rejects(first.api(Administration).claim(token), { status: 409, code: 'has_operator' })
    await assert.rejects(stat(join(server.dataDir, FILE)), { code: 'ENOENT' })
    assert.equal(await keepClaimLink(server.deps, server.url), undefined)
    const [entry] = (await owner.api(Administration).log()).entries
    assert.deepEqual([entry?.action, entry?.actor_id], ['operator_claim', operator.user.id])
    const rows = await server.deps.database.query(sql`select from operator_claims`)
    assert.equal(rows.length, 0)
  })
})

test('OPERATOR-2: tokens of links end as soon as there is an operator or no link is needed', async () => {
  const server = await startOwnServer({ registration: 'closed' })
  const { database } = server.deps
  const claims = () => database.query(sql`select from operator_claims`)
  try {
    await insertClaim(database, 'old')
    assert.equal(await keepClaimLink(server.deps, server.url), undefined)
    assert.equal((await claims()).length, 0, 'a start without a link')
    await insertClaim(database, 'old')
    await server.signUp('first')
    assert.equal((await claims()).length, 0, 'the first account is the operator')
    await insertClaim(database, 'old')
    const body = { username: 'late', email: 'late@example.org', password: TEST_PASSWORD, invite: 'old' }
    assert.equal((await send(server, 'POST', '/api/auth/signin', { body })).code, 'registration_closed')
  } finally {
    await server.close()
  }
})

test('OPERATOR-2: a link that is made while an operator is made does not work', async () => {
  const server = await startOwnServer({ publicUrl: 'https://chat.example.org' })
  try {
    await server.signUp('first')
    const lock = await holdLock(
      server,
      sql`select pg_advisory_xact_lock(hashtextextended('foyer operators', 0))`,
    )
    const keeping = keepClaimLink(server.deps, server.url)
    await lock.waitForBlocked(1)
    await server.deps.database.execute(sql`insert into operators (user_id) select id from users`)
    await lock.release()
    assert.equal(await keeping, undefined)
  } finally {
    await server.close()
  }
})

test('OPERATOR-2: of two who use the link at once, one becomes the operator', async () => {
  const server = await startOwnServer({ host: '127.0.0.1', publicUrl: 'https://chat.example.org' })
  try {
    const people = [await server.signUp('one'), await server.signUp('two')]
    const token = tokenOf(server.claimLink)
    const results = await Promise.allSettled(people.map((person) => person.api(Administration).claim(token)))
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  } finally {
    await server.close()
  }
})
