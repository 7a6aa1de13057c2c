import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MessageType } from '@foyer/protocol/messages'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Report } from '@foyer/protocol/reports'
import { Reports, ServerReports } from '@foyer/sdk/api/reports'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { makeDirect, say } from '#test/scenes/conversations.ts'
import { note } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { type Answer, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeReportScene, type ReportScene, reportMessage } from '#test/scenes/reports.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { sweepReports } from './sweeps.ts'

let server: TestServer
let operator: Person
let scene: ReportScene
let count = 0

before(async () => {
  server = await startTestServer()
  operator = await createOperator(server, 'operator')
})
after(async () => {
  try {
    await checkFilesAtRest(server)
  } finally {
    await server.close()
  }
})
beforeEach(async () => {
  count += 1
  scene = await makeReportScene(server, `${count}`)
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const send = (person: Person, body: object) =>
  person.call('POST', '/api/reports', { reason: 'spam', ...body }).then(outcomeOf)
const write = async (person: Person, content = 'buy this') =>
  (await person.client.messages.create(scene.space.general, { content })).id
const queue = () => scene.moderator.client.api(Reports).list(scene.space.id)
const serverQueue = () => operator.client.api(ServerReports).list()
const textsOf = (reports: readonly Report[]) => reports.map(({ text }) => text)

test('REPORT-1: people report messages, users and spaces; bots do not', async () => {
  const { reporter, author, owner, space } = scene
  const bot = await createApplicationBot(server, owner, { name: 'Helper' })
  assert.equal(await send(bot, { user_id: author.id }), 'bots_not_allowed')
  const id = await write(author)
  const made = await reportMessage(reporter, space.general, id)
  assert.partialDeepStrictEqual(made, { target_type: 'message', target_id: id, state: 'open', result: null })
  assert.equal(await send(reporter, { user_id: author.id, reason: 'harassment' }), 201)
  assert.equal(await send(reporter, { space_id: space.id, reason: 'illegal' }), 201)
  const own = await reporter.client.api(Reports).listOwn()
  assert.deepEqual(
    own.map(({ target_type }) => target_type),
    ['space', 'user', 'message'],
  )
  assert.deepEqual(await author.client.api(Reports).listOwn(), [])
})

test('REPORT-2: nobody reports what they may not see, and it is answered like what does not exist', async () => {
  const { reporter, author, owner, space } = scene
  const id = await write(author)
  const outsider = await createPerson(server, `outsider${count}`)
  const message = { message_id: id, room_id: space.general }
  assert.equal(await send(outsider, message), 'unknown_message')
  assert.equal(await send(outsider, { ...message, message_id: outsider.id }), 'unknown_message')
  assert.equal(await send(outsider, { space_id: space.id }), 'unknown_space')
  const { code } = await owner.client.invites.create(space.id, space.general)
  assert.equal(await send(outsider, { space_id: space.id, invite: code }), 201)
  const { id: other } = await makeSpace(author)
  assert.equal(await send(outsider, { space_id: other, invite: code }), 'unknown_space')
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  assert.equal(await send(reporter, message), 'unknown_message')
  const direct = await makeDirect(server, author, owner)
  const secret = await say(author, direct.id, 'between us')
  assert.equal(await send(reporter, { message_id: secret, conversation_id: direct.id }), 'unknown_message')
  assert.equal(await send(reporter, { message_id: secret, room_id: space.general }), 'unknown_message')
  assert.equal(await send(reporter, { user_id: space.id }), 'unknown_user')
})

test('REPORT-2: a report names one thing, which is not the own, and was written by somebody', async () => {
  const { reporter, author, owner, space } = scene
  const id = await write(author)
  const message = { message_id: id, room_id: space.general }
  const wrong: object[] = [
    {},
    { ...message, user_id: author.id },
    { message_id: id },
    { ...message, conversation_id: space.id },
    { ...message, context_ids: [id] },
    { ...message, reason: 'boredom' },
    { ...message, reason: null },
    { ...message, text: 'x'.repeat(2001) },
    { user_id: 'everyone' },
  ]
  for (const body of wrong) assert.equal(await send(reporter, body), 'invalid_request', JSON.stringify(body))
  assert.equal(await send(author, message), 'reporting_oneself')
  assert.equal(await send(author, { user_id: author.id }), 'reporting_oneself')
  assert.equal(await send(owner, { space_id: space.id }), 'reporting_oneself')
  await owner.client.pins.add(space.general, id)
  const noticeId = async () =>
    (await owner.client.messages.list(space.general)).find(({ type }) => type === MessageType.PinNotice)?.id
  await until(async () => (await noticeId()) !== undefined, 'the pin is announced')
  const notice = { message_id: await noticeId(), room_id: space.general }
  assert.equal(await send(reporter, notice), 'not_reportable')
  assert.deepEqual([await queue(), await reporter.client.api(Reports).listOwn()], [[], []])
})

test('REPORT-3: what was reported is kept as it was, whatever is edited or deleted afterwards', async () => {
  const { reporter, author, space } = scene
  const id = await write(author, 'the first words')
  await reportMessage(reporter, space.general, id)
  await author.client.messages.update(space.general, id, { content: 'nothing to see' })
  await author.client.messages.delete(space.general, id)
  const [report] = await queue()
  assert.deepEqual(
    report?.copy.messages.map((message) => [message.id, message.content, message.author.id]),
    [[id, 'the first words', author.id]],
  )
})

test('REPORT-16: reporters see what each of their reports is about, as it was then', async () => {
  const { reporter, author, owner, space } = scene
  const id = await write(author, `Buy boots! ${'x'.repeat(100)}`)
  const made = await reportMessage(reporter, space.general, id)
  await author.client.messages.update(space.general, id, { content: 'nothing to see' })
  await send(reporter, { user_id: author.id })
  await send(reporter, { space_id: space.id })
  const about = (await reporter.client.api(Reports).listOwn()).map((report) => report.about)
  const [ofSpace, ofUser, ofMessage] = about
  assert.deepEqual([ofMessage, ofUser], [`Buy boots! ${'x'.repeat(89)}`, `author${count}`])
  assert.equal(ofSpace, (await owner.client.spaces.get(space.id)).name)
  assert.equal(made.about, ofMessage)
  assert.doesNotMatch(JSON.stringify(await queue()), /"about"/)
})

test('REPORT-3: its files are copied, and only those who decide get addresses of the copies', async () => {
  const { reporter, author, space } = scene
  const sent = await author.client.messages.createWithFiles(space.general, {}, [note('evidence', 'a.txt')])
  await reportMessage(reporter, space.general, sent.id)
  await author.client.messages.delete(space.general, sent.id)
  const [report] = await queue()
  const [file] = report?.copy.messages[0]?.attachments ?? []
  assert.equal(file?.filename, 'a.txt')
  assert.notEqual(file?.id, sent.attachments[0]?.id)
  assert.equal(await (await server.fetch(file?.url ?? '')).text(), 'evidence')
  assert.equal((await server.fetch(`/attachments/${file?.id}`)).status, 403)
  const resigned = await reporter.call('POST', `/api/attachments/${file?.id}/resign`)
  assert.notEqual(resigned.status, 200)
})

test('REPORT-3: files of a report that operators decide about outlive the space that they come from', async () => {
  const { reporter, owner, space } = scene
  const sent = await owner.client.messages.createWithFiles(space.general, {}, [note('evidence', 'a.txt')])
  const { id } = await reportMessage(reporter, space.general, sent.id)
  await owner.client.spaces.delete(space.id)
  const [file] = (await serverQueue()).find((report) => report.id === id)?.copy.messages[0]?.attachments ?? []
  assert.equal(await (await server.fetch(file?.url ?? '')).text(), 'evidence')
  await server.deps.database.execute(sql`
    update reports set state = 'closed', closed_at = now() - interval '181 days' where id = ${id}`)
  await sweepReports(server.deps.database)
  assert.equal((await server.fetch(file?.url ?? '')).status, 404)
})

test('REPORT-4: moderators decide about messages of their space, operators about everything else', async () => {
  const { reporter, author, owner, space } = scene
  const report = (body: object, text: string) => send(reporter, { ...body, text })
  assert.equal(await report({ message_id: await write(author), room_id: space.general }, 'in space'), 201)
  assert.equal(await report({ message_id: await write(owner), room_id: space.general }, 'of owner'), 201)
  const direct = await makeDirect(server, author, reporter)
  const said = await say(author, direct.id, 'rude')
  assert.equal(await report({ message_id: said, conversation_id: direct.id }, 'in direct'), 201)
  assert.equal(await report({ user_id: author.id }, 'user'), 201)
  assert.equal(await report({ space_id: space.id }, 'space'), 201)
  assert.deepEqual(textsOf(await queue()), ['in space'])
  assert.deepEqual(textsOf((await serverQueue()).filter(({ reporter: by }) => by.id === reporter.id)), [
    'of owner',
    'in direct',
    'user',
    'space',
  ])
})

test('REPORT-4: a report from a conversation shows the messages that the reporter chose, and no others', async () => {
  const { reporter, author } = scene
  const direct = await makeDirect(server, author, reporter)
  const ids: string[] = []
  for (const content of ['one', 'two', 'three', 'four'])
    ids.push(await say(content === 'two' ? reporter : author, direct.id, content))
  const [one, two, three] = ids
  const body = { message_id: three, conversation_id: direct.id }
  assert.equal(await send(reporter, { ...body, context_ids: [two, one] }), 201)
  const report = (await serverQueue()).find(({ target_id }) => target_id === three)
  assert.deepEqual(
    report?.copy.messages.map(({ content }) => content),
    ['one', 'two', 'three'],
  )
  const other = await createPerson(server, `other${count}`)
  const elsewhere = await makeDirect(server, other, author)
  const secret = await say(other, elsewhere.id, 'secret')
  const reads = { message_id: ids[3], conversation_id: direct.id, context_ids: [secret] }
  assert.equal(await send(reporter, reads), 'unknown_message')
})

test('REPORT-5: somebody reports a thing once until it is decided, also at the same time', async () => {
  const { reporter, author, space } = scene
  const body = { message_id: await write(author), room_id: space.general }
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(reporter, body)))
  assert.deepEqual(outcomes.toSorted(), [201, ...Array.from({ length: 4 }, () => 'already_reported')])
  const [report] = await queue()
  await scene.moderator.client.api(Reports).update(space.id, report?.id ?? '', {
    state: 'closed',
    result: 'no_violation',
  })
  assert.equal(await send(reporter, body), 201)
})

test('REPORT-3: a report is made although its files cannot be copied', async () => {
  const { reporter, author, space } = scene
  const sent = await author.client.messages.createWithFiles(space.general, { content: 'look' }, [note('x')])
  await server.deps.database.execute(sql`
    update storage_buckets set max_bytes = used_bytes where tenant_id = ${space.id}`)
  await reportMessage(reporter, space.general, sent.id)
  const [report] = await queue()
  assert.deepEqual(
    report?.copy.messages.map(({ content, attachments }) => [content, attachments]),
    [['look', []]],
  )
})
