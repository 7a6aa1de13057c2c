import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { UpdateReportBody } from '@foyer/protocol/reports'
import { Reports, ServerReports } from '@foyer/sdk/api/reports'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { awaitPurge } from '#test/scenes/deleted-spaces.ts'
import { note } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { makeReportScene, type ReportScene, reportMessage } from '#test/scenes/reports.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sweepReports } from './sweeps.ts'

let server: TestServer
let scene: ReportScene
let messageId: string
let reportId: string
let count = 0
const clients: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  for (const client of clients.splice(0)) client.close()
  count += 1
  scene = await makeReportScene(server, `${count}`)
  const { author, reporter, space } = scene
  messageId = (await author.client.messages.create(space.general, { content: 'buy this' })).id
  reportId = (await reportMessage(reporter, space.general, messageId)).id
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const update = (person: Person, body: UpdateReportBody, id = reportId) =>
  person.client.api(Reports).update(scene.space.id, id, body)
const open = async (person: Person) => {
  const client = await connect(server, person)
  clients.push(client)
  return client
}

/** Every route of moderators, each with a body that it would accept. */
function tryAll(person: Person): Promise<(number | string)[]> {
  const base = `/api/spaces/${scene.space.id}/reports`
  const calls: [string, string, unknown?][] = [
    ['GET', base],
    ['GET', `${base}/${reportId}`],
    ['GET', `${base}/${reportId}/notes`],
    ['POST', `${base}/${reportId}/notes`, { text: 'seen' }],
    ['PATCH', `${base}/${reportId}`, { state: 'taken' }],
  ]
  return Promise.all(calls.map(([method, path, body]) => person.call(method, path, body).then(outcomeOf)))
}

test('REPORT-6: members with ManageReports decide, and nobody else sees that there are reports', async () => {
  const { owner, moderator, author, reporter } = scene
  const outsider = await createPerson(server, `outsider${count}`)
  const operator = await createOperator(server, `operator${count}`)
  for (const person of [author, reporter])
    assert.deepEqual(
      await tryAll(person),
      Array.from({ length: 5 }, () => 'missing_permission'),
    )
  for (const person of [outsider, operator])
    assert.deepEqual(
      await tryAll(person),
      Array.from({ length: 5 }, () => 'not_a_member'),
    )
  for (const person of [owner, moderator])
    assert.deepEqual(
      await tryAll(person),
      Array.from({ length: 5 }, () => 200),
    )
  const mine = await operator.client.api(ServerReports).list()
  assert.ok(mine.every(({ id }) => id !== reportId))
  const answer = await operator.call('GET', `/api/operator/reports/${reportId}`)
  assert.equal(outcomeOf(answer), 'unknown_report')
})

test('REPORT-7: nobody decides about a report of themselves', async () => {
  const { moderator, reporter, space } = scene
  const own = (await moderator.client.messages.create(space.general, { content: 'my words' })).id
  const { id } = await reportMessage(reporter, space.general, own)
  assert.ok((await moderator.client.api(Reports).list(space.id)).every((report) => report.id !== id))
  const answer = await moderator.call('PATCH', `/api/spaces/${space.id}/reports/${id}`, { state: 'taken' })
  assert.equal(outcomeOf(answer), 'unknown_report')
  assert.equal((await scene.owner.client.api(Reports).list(space.id)).length, 2)
})

test('REPORT-7: a report is no way to read a room: those who may not view it do not see the report', async () => {
  const { owner, moderator, space } = scene
  const setView = (deny: number) =>
    owner.client.overwrites.upsert(space.id, space.general, {
      target_id: moderator.id,
      target_type: OverwriteTarget.Member,
      allow_flags: 0,
      deny_flags: deny,
    })
  await setView(Permission.ViewChannels)
  assert.deepEqual(await moderator.client.api(Reports).list(space.id), [])
  const path = `/api/spaces/${space.id}/reports/${reportId}`
  for (const where of [path, `${path}/notes`])
    assert.equal(outcomeOf(await moderator.call('GET', where)), 'unknown_report')
  await setView(0)
  assert.equal((await moderator.client.api(Reports).list(space.id)).length, 1)
  await owner.client.rooms.delete(space.id, space.general)
  assert.deepEqual(await moderator.client.api(Reports).list(space.id), [])
  assert.equal((await owner.client.api(Reports).list(space.id)).length, 1)
})

test('REPORT-8: a report is taken, released, closed with a result, and reopened', async () => {
  const { moderator, owner } = scene
  assert.partialDeepStrictEqual(await update(moderator, { state: 'taken' }), {
    state: 'taken',
    assignee_id: moderator.id,
  })
  assert.equal((await update(owner, { state: 'taken' })).assignee_id, owner.id)
  assert.partialDeepStrictEqual(await update(owner, { state: 'open' }), { state: 'open', assignee_id: null })
  const path = `/api/spaces/${scene.space.id}/reports/${reportId}`
  for (const body of [
    { state: 'closed' },
    { state: 'open', result: 'acted' },
    { state: 'gone' },
    { state: null },
    {},
  ])
    assert.equal(outcomeOf(await moderator.call('PATCH', path, body)), 'invalid_request')
  const closed = await update(moderator, { state: 'closed', result: 'acted', answer: 'Thank you.' })
  assert.partialDeepStrictEqual(closed, {
    state: 'closed',
    result: 'acted',
    answer: 'Thank you.',
    closed_by: moderator.id,
  })
  assert.ok(closed.closed_at)
  const list = (isClosed: boolean) =>
    moderator.client
      .api(Reports)
      .list(scene.space.id, { closed: isClosed })
      .then((reports) => reports.length)
  assert.deepEqual([await list(false), await list(true)], [0, 1])
  const again = await update(moderator, { state: 'open' })
  assert.partialDeepStrictEqual(again, { state: 'open', result: null, answer: null, closed_at: null })
})

test('REPORT-8: a change for another state or assignee than the report has is refused', async () => {
  const { moderator, owner } = scene
  const open = { state: 'open', assignee_id: null } as const
  const path = `/api/spaces/${scene.space.id}/reports/${reportId}`
  for (const expected of [null, {}, { state: 'open' }, { state: 'gone', assignee_id: null }])
    assert.equal(
      outcomeOf(await moderator.call('PATCH', path, { state: 'taken', expected })),
      'invalid_request',
    )
  const outcomes = await Promise.all(
    [moderator, owner].map((person) =>
      update(person, { state: 'taken', expected: open }).then(
        () => 'taken',
        ({ code }) => code,
      ),
    ),
  )
  assert.deepEqual(outcomes.sort(), ['report_changed', 'taken'])
  const { assignee_id } = await owner.client.api(Reports).get(scene.space.id, reportId)
  const taken = { state: 'taken', assignee_id } as const
  await update(owner, { state: 'closed', result: 'acted', expected: taken })
  for (const expected of [open, taken])
    await assert.rejects(update(moderator, { state: 'open', expected }), { code: 'report_changed' })
  assert.equal((await owner.client.api(Reports).get(scene.space.id, reportId)).state, 'closed')
})

test('REPORT-8: a closed report stays closed while its reporter has an undecided one of the same thing', async () => {
  const { moderator, reporter, space } = scene
  await update(moderator, { state: 'closed', result: 'acted' })
  const again = await reportMessage(reporter, space.general, messageId)
  await assert.rejects(update(moderator, { state: 'open' }), { code: 'reported_again' })
  await update(moderator, { state: 'closed', result: 'acted' }, again.id)
  assert.equal((await update(moderator, { state: 'open' })).state, 'open')
})

test('REPORT-9: the reporter is told the result and the answer, and nothing of those who decided', async () => {
  const { moderator, reporter, author } = scene
  const [told, other] = [await open(reporter), await open(author)]
  await moderator.client.api(Reports).addNote(scene.space.id, reportId, { text: 'internal words' })
  await update(moderator, { state: 'taken' })
  await update(moderator, { state: 'closed', result: 'acted', answer: 'We removed it.' })
  const { d, text } = await told.findEvent('REPORT_UPDATE')
  assert.partialDeepStrictEqual(d, { id: reportId, result: 'acted', answer: 'We removed it.' })
  assert.ok(!text.includes(moderator.id) && !text.includes('internal words'))
  const [own] = await reporter.client.api(Reports).listOwn()
  assert.deepEqual(own, d)
  await other.settle()
  assert.deepEqual(other.heard('REPORT_UPDATE'), [])
  assert.deepEqual(other.heard('REPORTS_UPDATE'), [])
})

test('REPORT-9: those who decide are told that there is something, and closing is in the audit log without the reporter', async () => {
  const { moderator, owner, reporter, author, space } = scene
  const client = await open(moderator)
  const { id } = await author.client.messages.create(space.general, { content: 'more' })
  await reportMessage(reporter, space.general, id)
  assert.deepEqual((await client.findEvent('REPORTS_UPDATE')).d, { space_id: space.id })
  await update(moderator, { state: 'closed', result: 'acted' })
  const entry = await newestEntry(owner, space.id)
  assert.partialDeepStrictEqual(entry, {
    action: 'report_close',
    actor_id: moderator.id,
    target_type: 'space',
    target_id: space.id,
    after: { result: 'acted', count: 1 },
  })
  // The reported may read the log, too.
  for (const { id: personId } of [reporter, author]) assert.ok(!JSON.stringify(entry).includes(personId))
})

test('REPORT-11: those who decide write notes for each other', async () => {
  const { moderator, owner, space } = scene
  await moderator.client.api(Reports).addNote(space.id, reportId, { text: 'Third time.' })
  const notes = await owner.client.api(Reports).addNote(space.id, reportId, { text: 'I will talk to them.' })
  assert.deepEqual(
    notes.map(({ author, text }) => [author.id, text]),
    [
      [moderator.id, 'Third time.'],
      [owner.id, 'I will talk to them.'],
    ],
  )
  assert.deepEqual(await moderator.client.api(Reports).listNotes(space.id, reportId), notes)
  const path = `/api/spaces/${space.id}/reports/${reportId}/notes`
  for (const body of [{}, { text: '' }, { text: '   ' }, { text: 'x'.repeat(2001) }, { text: null }])
    assert.equal(outcomeOf(await moderator.call('POST', path, body)), 'invalid_request')
})

test('REPORT-12: closed reports are deleted after 180 days with their files, and those of a deleted space', async () => {
  const { moderator, owner, author, reporter, space } = scene
  const sent = await author.client.messages.createWithFiles(space.general, {}, [note('evidence')])
  const old = await reportMessage(reporter, space.general, sent.id)
  await update(moderator, { state: 'closed', result: 'acted' }, old.id)
  const [before] = await moderator.client.api(Reports).list(space.id, { closed: true })
  const url = before?.copy.messages[0]?.attachments[0]?.url ?? ''
  await sweepReports(server.deps.database)
  assert.equal((await server.fetch(url)).status, 200)
  await server.deps.database.execute(sql`
    update reports set closed_at = closed_at - interval '181 days' where id = ${old.id}`)
  await sweepReports(server.deps.database)
  assert.deepEqual(await moderator.client.api(Reports).list(space.id, { closed: true }), [])
  assert.equal((await server.fetch(url)).status, 404)
  assert.equal((await moderator.client.api(Reports).list(space.id)).length, 1)
  await owner.client.spaces.delete(space.id)
  await awaitPurge(server, space.id)
  const rows = await server.deps.database.query(sql`select from reports where queue_id = ${space.id}`)
  assert.equal(rows.length, 0)
})
