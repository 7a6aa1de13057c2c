import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { UpdateReportBody } from '@foyer/protocol/reports'
import { Reports } from '@foyer/sdk/api/reports'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import type { Person } from '#test/scenes/people.ts'
import { makeReportScene, type ReportScene, reportMessage } from '#test/scenes/reports.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

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

const update = (person: Person, body: UpdateReportBody, id = reportId) =>
  person.client.api(Reports).update(scene.space.id, id, body)
const open = async (person: Person) => {
  const client = await connect(server, person)
  clients.push(client)
  return client
}

test('REPORT-10: the reports of the same thing are counted, and closed together', async () => {
  const { moderator, owner, reporter, space } = scene
  const other = await reportMessage(owner, space.general, messageId, 'me too')
  await update(owner, { state: 'taken' }, other.id)
  assert.equal((await moderator.client.api(Reports).get(space.id, reportId)).similar, 1)
  const told = await open(owner)
  await update(moderator, { state: 'closed', result: 'no_violation', with_similar: true })
  await told.findEvent('REPORT_UPDATE')
  assert.deepEqual(await moderator.client.api(Reports).list(space.id), [])
  assert.equal((await reporter.client.api(Reports).listOwn())[0]?.result, 'no_violation')
  assert.equal((await moderator.client.api(Reports).get(space.id, other.id)).assignee_id, owner.id)
})

test('REPORT-10: similar reports are closed with one that was closed before in the same way', async () => {
  const { moderator, owner, reporter, space } = scene
  await reportMessage(owner, space.general, messageId, 'me too')
  const first = await update(moderator, { state: 'closed', result: 'acted' })
  const told = await open(reporter)
  const again = await update(moderator, { state: 'closed', result: 'acted', with_similar: true })
  assert.deepEqual([again.similar, again.closed_at], [0, first.closed_at])
  assert.equal((await owner.client.api(Reports).listOwn())[0]?.result, 'acted')
  await told.settle()
  assert.deepEqual(told.heard('REPORT_UPDATE'), [])
})

test('REPORT-10: a closed report is not closed in another way, and its reporter is not told again', async () => {
  const { moderator, owner, reporter, space } = scene
  await reportMessage(owner, space.general, messageId, 'me too')
  await update(moderator, { state: 'closed', result: 'acted', answer: 'Done.' })
  const told = await open(reporter)
  for (const body of [
    { state: 'closed', result: 'no_violation', answer: 'Done.', with_similar: true },
    { state: 'closed', result: 'acted' },
  ] as const)
    await assert.rejects(update(owner, body), { status: 409, code: 'report_changed' })
  await told.settle()
  assert.deepEqual(told.heard('REPORT_UPDATE'), [])
  assert.equal((await moderator.client.api(Reports).list(space.id)).length, 1)
  assert.equal((await reporter.client.api(Reports).listOwn())[0]?.result, 'acted')
})

test('REPORT-10: two who close a report at once close it once', async () => {
  const { moderator, owner, reporter, space } = scene
  const told = await open(reporter)
  await Promise.all([
    update(moderator, { state: 'closed', result: 'acted' }),
    update(owner, { state: 'closed', result: 'acted' }),
  ])
  await told.findEvent('REPORT_UPDATE')
  await told.settle()
  assert.equal(told.heard('REPORT_UPDATE').length, 1)
  const { entries } = await owner.client.auditLog.list(space.id, { action: 'report_close' })
  assert.equal(entries.length, 1)
})
