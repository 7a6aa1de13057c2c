import assert from 'node:assert/strict'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { fillSpace } from '#test/scenes/full-space.ts'
import { note } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'
import { until } from '#test/until.ts'
import { sweepSurvey } from './queries.ts'
import { surveyStorage } from './survey.ts'

let server: TestServer
let s3: FakeS3
let ada: Person
let owner: Person
let member: Person
let spaceId: string
let conversationId: string

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  ada = await createOperator(server, 'ada')
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  spaceId = (await fillSpace(server, { owner, member }, s3)).id
})
after(async () => {
  await server.close()
  await s3.close()
})

const administration = () => ada.client.api(Administration)

async function survey() {
  await administration().surveyStorage()
  await until(async () => {
    const { survey: at, findings } = await administration().storage()
    return at.state === 'idle' && findings !== null
  }, 'the survey ends')
  const { findings } = await administration().storage()
  assert.ok(findings !== null)
  return findings
}

/** Makes all files so old that their objects have to be there. */
async function age(): Promise<void> {
  await server.deps.database.execute(sql`update attachments set created_at = now() - interval '2 hours'`)
}

test('CONSOLE-4: a survey finds what is kept by kind, place and space, and the largest files', async () => {
  conversationId = (await owner.client.conversations.create({ recipient_ids: [member.id] })).id
  await owner.client.messages.createWithFiles({ conversation: conversationId }, { content: 'mine' }, [
    note('x'.repeat(9000), 'diary.txt'),
  ])
  const before = await administration().storage()
  assert.deepEqual([before.findings, before.survey.state], [null, 'idle'])
  assert.ok(before.tables.some(({ name, bytes }) => name === 'users' && bytes > 0))
  const findings = await survey()
  const kinds = findings.purposes.map(({ purpose }) => purpose).sort()
  assert.deepEqual(kinds, ['emoji', 'icon', 'message', 'report'])
  const [bucket] = findings.buckets
  assert.deepEqual([bucket?.space.id, bucket?.bucket_name], [spaceId, 'a-bucket'])
  assert.equal(findings.total.bytes, findings.own.bytes + (bucket?.bytes ?? 0))
  assert.equal(
    findings.total.count,
    findings.purposes.reduce((sum, { count }) => sum + count, 0),
  )
  assert.deepEqual(
    findings.spaces.map(({ id }) => id),
    [spaceId],
  )
  const [largest, ...others] = findings.files
  assert.deepEqual(
    [largest?.filename, largest?.bytes, largest?.space, largest?.uploader?.id],
    ['diary.txt', 9000, null, owner.id],
  )
  assert.ok(others.some(({ space }) => space?.id === spaceId))
  const { entries } = await administration().log({ action: 'storage_survey' })
  assert.equal(entries.length, 1)
})

test('CONSOLE-4: no answer has an address, a credential of a bucket, or a conversation', async () => {
  const text = JSON.stringify(await administration().storage())
  const { endpoint, secretAccessKey, accessKeyId } = s3.settings()
  for (const secret of [endpoint, secretAccessKey, accessKeyId, 'http', conversationId])
    assert.ok(!text.includes(secret), secret)
})

test('CONSOLE-4: files without objects and objects without files are counted, unless they are new', async () => {
  const { database, config } = server.deps
  const files = join(config.dataDir, 'files')
  const [file] = await database.query<{ tenant_id: string; id: string }>(sql`
    select tenant_id, id from attachments where filename = 'diary.txt'`)
  await rm(join(files, file?.tenant_id ?? '', file?.id ?? ''))
  const stray = join(files, newId())
  await mkdir(stray, { recursive: true })
  const [old, fresh] = [join(stray, newId()), join(stray, newId())]
  await Promise.all([
    writeFile(old, 'left over'),
    writeFile(fresh, 'arriving'),
    writeFile(join(stray, 'x'), ''),
  ])
  await utimes(old, new Date(0), new Date(0))
  const young = await survey()
  assert.deepEqual([young.missing.count, young.loose], [0, { count: 1, bytes: 9 }])
  await age()
  const { missing, loose } = await survey()
  assert.deepEqual([missing.count, missing.bytes, missing.files[0]?.filename], [1, 9000, 'diary.txt'])
  assert.deepEqual(loose, { count: 1, bytes: 9 })
})

test('CONSOLE-4: archives of exports and imports have their kind, also where their objects are missing', async () => {
  for (const purpose of ['export', 'import'] as const)
    await placeFile(server, { tenantId: member.id, ownerId: member.id, purpose, filename: `${purpose}.zip` })
  await age()
  const { purposes, missing } = await survey()
  for (const purpose of ['export', 'import'])
    assert.deepEqual(
      purposes.find((one) => one.purpose === purpose),
      { purpose, count: 1, bytes: 1000 },
    )
  assert.deepEqual(missing.files.map(({ filename, purpose, space }) => [filename, purpose, space]).sort(), [
    ['diary.txt', 'message', null],
    ['export.zip', 'export', null],
    ['import.zip', 'import', null],
  ])
})

test('CONSOLE-4: a space that is built or purged is not shown, nor are its files and buckets', async () => {
  const { database } = server.deps
  const { spaces, buckets } = await survey()
  assert.deepEqual([spaces.length, buckets.length], [1, 1])
  await database.execute(sql`update spaces set purge_begun_at = now() where id = ${spaceId}`)
  const { findings } = await administration().storage()
  assert.deepEqual([findings?.spaces, findings?.buckets], [[], []])
  assert.ok(!JSON.stringify(findings).includes(spaceId))
  await database.execute(sql`update spaces set purge_begun_at = null where id = ${spaceId}`)
})

test('CONSOLE-4: a folder that cannot be read fails the survey', async () => {
  const { stores, database, config } = server.deps
  const tenant = newId()
  const ownFolder = join(config.dataDir, 'files')
  await writeFile(join(ownFolder, tenant), 'no folder')
  await assert.rejects(surveyStorage({ stores, database, ownFolder }, new AbortController().signal), {
    code: 'ENOTDIR',
  })
  await rm(join(ownFolder, tenant))
})

test('CONSOLE-4: what is gone since the survey is in no answer, and its findings go after a week', async () => {
  const { database } = server.deps
  await database.execute(sql`update attachments set state = 'deleted' where filename = 'diary.txt'`)
  assert.ok(!JSON.stringify(await administration().storage()).includes('diary.txt'))
  await sweepSurvey(database)
  assert.ok((await administration().storage()).findings !== null)
  await database.execute(sql`update storage_surveys set ended_at = now() - interval '8 days'`)
  await sweepSurvey(database)
  assert.equal((await administration().storage()).findings, null)
})

test('CONSOLE-4: two surveys at once are one, and an aborted one ends', async () => {
  const count = async () => (await administration().log({ action: 'storage_survey' })).entries.length
  const before = await count()
  // The survey waits for its row, so that it lasts as long as they ask.
  const lock = await holdLock(server, sql`select from storage_surveys for update`)
  await Promise.all([1, 2, 3].map(() => administration().surveyStorage()))
  await lock.release()
  assert.equal(await count(), before + 1)
  const { stores, database } = server.deps
  await assert.rejects(
    surveyStorage({ stores, database, ownFolder: undefined }, AbortSignal.abort(new Error('stopped'))),
    { message: 'stopped' },
  )
})
