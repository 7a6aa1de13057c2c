import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { WholeFiles } from '#src/files/objects/whole-files.ts'
import { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { FreeDisk } from '#src/kernel/storage/free-disk.ts'
import { spaceEntries } from '#src/space-archives/writing/entries.ts'
import { logIn } from '#test/scenes/accounts.ts'
import { type Owner, signUpOwner } from '#test/scenes/exports.ts'
import { note } from '#test/scenes/messages.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { archivesOf, exportSpace, unpackSpace } from '#test/scenes/space-archives.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { makeExport } from '../making.ts'

let server: TestServer
let owner: Owner
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await signUpOwner(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

const password = TEST_PASSWORD

test('SPACE-EXPORT-1: only the owner exports a space, and sees and downloads the archive', async () => {
  const archives = archivesOf(owner)
  const { id } = await archives.export(space.id, { password })
  await until(async () => (await archives.listExports(space.id))[0]?.state === 'ready', 'it is ready')
  const [outsider, bot] = [await createPerson(server, `out${count}`), await createBot(server, `bot${count}`)]
  const root = `/api/spaces/${space.id}/exports`
  for (const [method, path] of [
    ['POST', root],
    ['GET', root],
    ['GET', `${root}/${id}/download`],
  ] as const) {
    const codes = []
    for (const caller of [member, outsider, bot])
      codes.push((await caller.call(method, path, undefined)).code)
    assert.deepEqual(codes, ['owner_only', 'not_a_member', 'bots_not_allowed'], path)
    assert.equal((await callAsNobody(server, method, path)).status, 401)
  }
  await assert.rejects(archives.download(space.id, newId()), { code: 'unknown_export' })
  await assert.rejects(archives.listExports(newId()), { status: 403 })
})

test('SPACE-EXPORT-1: it needs a proof, and only a given one leaves an entry in the audit log', async () => {
  const archives = archivesOf(owner)
  await assert.rejects(archives.export(space.id, {}), { code: 'invalid_request' })
  await assert.rejects(archives.export(space.id, { password: 'wrong horse battery' }), {
    code: 'wrong_password',
  })
  const list = async () => {
    const { entries } = await owner.client.auditLog.list(space.id, {})
    return entries.filter(({ action }) => action === 'space_export').map(({ actor_id }) => actor_id)
  }
  assert.deepEqual(await list(), [])
  await archives.export(space.id, { password })
  assert.deepEqual(await list(), [owner.id])
  await assert.rejects(archives.export(space.id, { password }), /./)
  assert.deepEqual(await list(), [owner.id])
})

test('SPACE-EXPORT-1: somebody who gave the space away gets no archive of it any more', async () => {
  const archives = archivesOf(owner)
  const { id } = await archives.export(space.id, { password })
  await until(async () => (await archives.listExports(space.id))[0]?.state === 'ready', 'it is ready')
  await owner.client.spaces.transfer(space.id, { user_id: member.id })
  await assert.rejects(archives.download(space.id, id), { code: 'owner_only' })
  assert.deepEqual(await archivesOf(member).listExports(space.id), [])
  await assert.rejects(archivesOf(member).download(space.id, id), { code: 'unknown_export' })
})

test('SPACE-EXPORT-1: a session that is older than the request for the archive does not get it', async () => {
  const tokens = await logIn(server, `owner${count}`)
  const older = archivesOf({ client: new Client({ baseUrl: server.url, tokens }) })
  const { id } = await archivesOf(owner).export(space.id, { password })
  await until(async () => (await older.listExports(space.id))[0]?.state === 'ready', 'it is ready')
  await assert.rejects(older.download(space.id, id), { status: 403, code: 'export_needs_login' })
  assert.ok((await archivesOf(owner).download(space.id, id)).url)
})

test('SPACE-EXPORT-5: texts for which the disk has no room are not written', async () => {
  const { tempFolder } = server.deps
  const disk = new FreeDisk(tempFolder.path, Number.MAX_SAFE_INTEGER)
  const formSpace = new FormSpace(tempFolder, disk)
  const { id } = await archivesOf(owner).export(space.id, { password })
  await until(
    async () => (await archivesOf(owner).listExports(space.id))[0]?.state === 'ready',
    'it is ready',
  )
  await server.deps.database.execute(sql`
    update exports set state = 'queued', attachment_id = null, attempts = 0 where id = ${id}`)
  await makeExport({ ...server.deps, formSpace }, id, new AbortController().signal)
  const [made] = await archivesOf(owner).listExports(space.id)
  assert.deepEqual([made?.state, made?.failure], ['failed', 'storage_full'])
})

test('SPACE-EXPORT-5: a file that cannot be read is left out, and counted', async () => {
  await owner.client.messages.createWithFiles(space.general, { content: 'a' }, [note('leaves')])
  const [file] = await server.deps.database.execute<{ id: string }>(sql`
    select id from attachments where tenant_id = ${space.id}`)
  await server.deps.stores.own.delete(`${space.id}/${file?.id}`)
  const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
  const { left_out, counts } = JSON.parse(`${files.get('manifest.json')}`)
  assert.deepEqual([left_out.files, counts.files, files.has(`files/${file?.id}`)], [1, 0, false])
})

test('SPACE-EXPORT-5: past the bound, the oldest files are left out', async () => {
  const ids: string[] = []
  for (const text of ['leaves', 'kettle', 'cups']) {
    const { attachments } = await owner.client.messages.createWithFiles(space.general, {}, [note(text)])
    ids.push(attachments[0]?.id ?? '')
  }
  const files = new WholeFiles(server.deps, new AbortController().signal)
  const writing = { ...server.deps, files, maxFileBytes: 10, serverVersion: '1.0.0' }
  const names: string[] = []
  for await (const entry of spaceEntries(writing, space.id)) {
    names.push(entry.name)
    if ('content' in entry) await buffer(entry.content)
  }
  assert.deepEqual(
    names.filter((name) => name.startsWith('files/')),
    [`files/${ids[2]}`, `files/${ids[1]}`],
  )
})
