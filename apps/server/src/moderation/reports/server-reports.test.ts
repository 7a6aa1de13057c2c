import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Reports, ServerReports } from '@foyer/sdk/api/reports'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let operator: Person
let reporter: Person
let reported: Person
let reportId: string
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  await server.deps.database.execute(sql`delete from operators`)
  await server.deps.database.execute(sql`delete from reports`)
  operator = await createOperator(server, `operator${count}`)
  reporter = await createPerson(server, `reporter${count}`)
  reported = await createPerson(server, `reported${count}`)
  reportId = (await reporter.client.api(Reports).create({ user_id: reported.id, reason: 'fraud' })).id
})

const outcomeOf = ({ status, code }: Answer) => code ?? status

test('REPORT-13: operators alone decide about users, spaces and conversations', async () => {
  const base = '/api/operator/reports'
  const calls: [string, string, unknown?][] = [
    ['GET', base],
    ['GET', `${base}/${reportId}`],
    ['GET', `${base}/${reportId}/notes`],
    ['POST', `${base}/${reportId}/notes`, { text: 'seen' }],
    ['PATCH', `${base}/${reportId}`, { state: 'taken' }],
  ]
  const tryAll = (person: Person) =>
    Promise.all(calls.map(([method, path, body]) => person.call(method, path, body).then(outcomeOf)))
  for (const person of [reporter, reported])
    assert.deepEqual(
      await tryAll(person),
      Array.from({ length: 5 }, () => 'operator_only'),
    )
  assert.deepEqual(
    await tryAll(operator),
    Array.from({ length: 5 }, () => 200),
  )
})

test('REPORT-13: operators are told of a report, and closing it is in their log without the reporter', async () => {
  const client = await connect(server, operator)
  const stranger = await connect(server, reported)
  await reporter.client.api(Reports).create({ user_id: operator.id, reason: 'other' })
  await client.findEvent('SERVER_REPORTS_UPDATE')
  await operator.client
    .api(ServerReports)
    .update(reportId, { state: 'closed', result: 'acted', answer: 'Done.' })
  const { entries } = await operator.client.api(Administration).log({ action: 'report_close' })
  assert.partialDeepStrictEqual(entries[0], {
    actor_id: operator.id,
    target_type: 'report',
    target_id: reportId,
    details: { result: 'acted', count: 1 },
  })
  assert.ok(!JSON.stringify(entries).includes(reporter.id))
  assert.equal((await reporter.client.api(Reports).listOwn()).at(-1)?.answer, 'Done.')
  await stranger.settle()
  assert.deepEqual(stranger.heard('SERVER_REPORTS_UPDATE'), [])
  for (const each of [client, stranger]) each.close()
})

test('REPORT-7: an operator does not decide about a report of themselves', async () => {
  const { id } = await reporter.client.api(Reports).create({ user_id: operator.id, reason: 'other' })
  assert.ok((await operator.client.api(ServerReports).list()).every((report) => report.id !== id))
  const answer = await operator.call('PATCH', `/api/operator/reports/${id}`, { state: 'taken' })
  assert.equal(outcomeOf(answer), 'unknown_report')
})

test('REPORT-14: reports are listed in pages, those that wait longest first, and closed ones newest first', async () => {
  const ids = [reportId]
  for (let index = 0; index < 4; index += 1) {
    const other = await createPerson(server, `other${count}of${index}`)
    ids.push((await other.client.api(Reports).create({ user_id: reported.id, reason: 'spam' })).id)
  }
  const { list, update } = {
    list: (query: object) => operator.client.api(ServerReports).list({ limit: 2, ...query }),
    update: (id: string) =>
      operator.client.api(ServerReports).update(id, { state: 'closed', result: 'acted' }),
  }
  const idsOf = async (query: object) => (await list(query)).map(({ id }) => id)
  assert.deepEqual(await idsOf({}), ids.slice(0, 2))
  assert.deepEqual(await idsOf({ after: ids[1] }), ids.slice(2, 4))
  assert.deepEqual(await idsOf({ after: ids[3] }), ids.slice(4))
  for (const id of ids.slice(0, 3)) await update(id)
  assert.deepEqual(await idsOf({ closed: true }), [ids[2], ids[1]])
  assert.deepEqual(await idsOf({ closed: true, after: ids[1] }), [ids[0]])
  for (const after of [ids[4], newId()])
    await assert.rejects(list({ closed: true, after }), { status: 404, code: 'unknown_report' })
  assert.deepEqual(await idsOf({ user_id: reporter.id }), [])
  await operator.client.api(ServerReports).update(ids[4] ?? '', { state: 'taken' })
  assert.deepEqual(await idsOf({ assignee_id: operator.id }), [ids[4]])
})

test('REPORT-10: of two who close reports of the same thing at once, each with the other, neither fails', async () => {
  const colleague = await createOperator(server, `colleague${count}`)
  const other = await createPerson(server, `other${count}`)
  const second = await other.client.api(Reports).create({ user_id: reported.id, reason: 'spam' })
  const close = (person: Person, id: string) =>
    person.client.api(ServerReports).update(id, { state: 'closed', result: 'acted', with_similar: true })
  const lock = await holdLock(server, sql`select from reports where id = ${reportId} for update`)
  const first = close(operator, reportId)
  await lock.waitForBlocked(1)
  const both = Promise.all([first, close(colleague, second.id)])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual(
    (await both).map(({ state }) => state),
    ['closed', 'closed'],
  )
  assert.deepEqual(await operator.client.api(ServerReports).list(), [])
})
