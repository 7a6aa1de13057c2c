import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { listWritten, untilTexts } from '#test/scenes/announcements.ts'
import { answerOf, HostileSource } from '#test/scenes/hostile-source.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue, untilServed } from '#test/scenes/remote-follows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { openRemoteSecret } from './secrets.ts'

let server: TestServer
let reader: Person
let target: TestSpace
let hostile: HostileSource

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  reader = await createPerson(server, 'reader')
  hostile = await HostileSource.start()
})
after(async () => {
  await server.close()
  await hostile.close()
})
beforeEach(async () => {
  target = await makeSpace(reader)
  await server.deps.database.execute(sql`delete from remote_follows`)
  hostile.respond = (position) => answerOf(hostile.feedOf(), position)
})

const follow = () => reader.call('POST', `/api/rooms/${target.general}/remote-follows`, { url: hostile.page })
test('FOLLOW-47: a server that sends changes without end is read again after a pause, also if its hub calls', async () => {
  assert.equal((await follow()).status, 201)
  let count = 0
  hostile.respond = (position) => {
    count += 1
    const numbers = Array.from({ length: 50 }, (_each, index) => Number(position) + index + 1)
    const gone = numbers.map((number) => ({ number, id: newId(), state: 'gone' as const, seq: null }))
    return answerOf(hostile.feedOf(gone, Number(position) + 5000), position)
  }
  await makeDue(server)
  await untilServed(server)
  assert.ok(count >= 40 && count < 50, `${count} pages were read`)
  const [before] = await listFollows()
  assert.equal((await call(before)).status, 202)
  const [now] = await listFollows()
  assert.equal(now?.calls, (before?.calls ?? 0) + 1)
  assert.ok(now.wait_seconds > 30, `it is read again after ${now.wait_seconds} s`)
  assert.ok(now.read_to >= 2000)
  const marks = await server.deps.database.query(
    sql`select from message_copies where webhook_id = ${now.webhook_id}`,
  )
  assert.ok(marks.length >= 1000 && marks.length <= 1500, `${marks.length} marks of what never was`)
})

interface Listed {
  webhook_id: string
  callback_id: string
  secret: Buffer
  calls: number
  read_to: number
  wait_seconds: number
}

function listFollows(): Promise<Listed[]> {
  return server.deps.database.query<Listed>(sql`
    select webhook_id, callback_id, secret, calls, read_to, extract(epoch from due_at - now())::float8 as wait_seconds
    from remote_follows`)
}

/** Calls the server as the hub of the follow does. */
async function call(follow: Listed | undefined): Promise<Response> {
  if (follow === undefined) throw new Error('there is no follow')
  const secret = openRemoteSecret(server.deps.sealer, follow.webhook_id, follow.secret) ?? ''
  const signature = createHmac('sha256', secret).update('{}').digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature': `sha256=${signature}` }
  return server.fetch(`/api/follow-callbacks/${follow.callback_id}`, { method: 'POST', body: '{}', headers })
}

test('FOLLOW-47: a file that is slow takes only the space of what has arrived', async () => {
  const file = { id: newId(), filename: 'large.bin', size: 500 * 2 ** 20, content_type: 'text/plain' }
  const message = hostile.shown(11, 'large', {
    files: [{ ...file, description: null, url: `${hostile.origin}/slow` }],
  })
  assert.equal((await follow()).status, 201)
  hostile.respond = (position) => answerOf(hostile.feedOf([message]), position)
  await makeDue(server)
  const { used } = server.deps.formSpace
  await until(async () => used.bytes > 0, 'nothing of the file arrived')
  assert.equal(used.bytes, 1)
})

test('FOLLOW-47: after ten attempts one message is left out, and a deletion never is', async () => {
  const [good, bad, worse] = [hostile.shown(11, 'good'), hostile.shown(12, 'bad'), hostile.shown(13, 'worse')]
  const last = hostile.shown(15, 'last')
  assert.equal((await follow()).status, 201)
  hostile.respond = (position) => answerOf(hostile.feedOf([good]), position)
  await makeDue(server)
  await untilTexts(reader, target.general, ['good'])
  await untilServed(server)
  const { database } = server.deps
  await database.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' or new.content in ('bad', 'worse') then raise 'refused'; end if;
      return new;
    end $$`)
  await database.execute(sql`
    create trigger refuse before insert or delete on messages for each row execute function refuse()`)
  const gone = { number: 14, id: good.id, state: 'gone' as const, seq: null }
  hostile.respond = (position) => answerOf(hostile.feedOf([bad, worse, gone, last]), position)
  await database.execute(sql`update remote_follows set attempts = 9`)
  await makeDue(server)
  await untilTexts(reader, target.general, ['good', 'last'])
  await untilServed(server)
  await database.execute(sql`drop trigger refuse on messages`)
  await makeDue(server)
  await untilTexts(reader, target.general, ['last', 'worse'])
})

test('FOLLOW-49: of one follow, 30 messages in ten minutes are copied at once, and deletions do not wait', async () => {
  const messages = Array.from({ length: 40 }, (_each, index) => hostile.shown(11 + index, `${index}`))
  assert.equal((await follow()).status, 201)
  hostile.respond = (position) => answerOf(hostile.feedOf(messages), position)
  await makeDue(server)
  await until(async () => (await listWritten(reader, target.general)).length === 30, 'there were never 30')
  await untilServed(server)
  const [first, ...rest] = messages
  const gone = { number: 60, id: first?.id ?? '', state: 'gone' as const, seq: null }
  hostile.respond = (position) => answerOf(hostile.feedOf([...rest, gone]), position)
  await makeDue(server)
  await until(async () => (await listWritten(reader, target.general)).length === 29, 'it was never deleted')
  await server.deps.database.execute(sql`update remote_follows set copied_at = '{}'`)
  await makeDue(server)
  await untilTexts(
    reader,
    target.general,
    rest.map(({ content }) => content),
  )
})
