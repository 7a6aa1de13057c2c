import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { findFile } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { WholeFiles } from '#src/files/objects/whole-files.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { BreakableStorage, type Fault } from '#test/breakable-storage.ts'
import { type Owner, rowsIn, signUpOwner, takeExport } from '#test/scenes/exports.ts'
import { note } from '#test/scenes/messages.ts'
import { exportSpace, unpackSpace } from '#test/scenes/space-archives.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { placeBucket } from '#test/stored-files.ts'

const text = 'what is in the file'

let storage: BreakableStorage
let server: TestServer
let owner: Owner
let space: TestSpace
let fileId: string
let count = 0

before(async () => {
  storage = await BreakableStorage.start()
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
})
after(async () => {
  await server.close()
  await storage.close()
})
beforeEach(async () => {
  count += 1
  owner = await signUpOwner(server, `owner${count}`)
  space = await makeSpace(owner)
  const bucketId = await placeBucket(server, space.id, storage.settings)
  await server.deps.database.execute(sql`update storage_buckets set active = true where id = ${bucketId}`)
  const { attachments } = await owner.client.messages.createWithFiles(space.general, {}, [note(text)])
  fileId = attachments[0]?.id ?? ''
})
afterEach(() => storage.mend())

/** Sends a body without an end as fast as it is taken. */
const endless: Fault = ({ response }) => {
  response.writeHead(206)
  const piece = Buffer.alloc(64 * 1024)
  const send = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', send)
  send()
}

/** Announces the whole file, sends half of it, and closes the connection. */
const half: Fault = ({ response }) => {
  response.writeHead(206, { 'content-length': text.length })
  response.write(text.slice(0, 9), () => response.destroy())
}

/** Ends well, but too early. */
const short: Fault = ({ response }) => {
  response.writeHead(206).end(text.slice(0, 9))
}

/** Sends a byte now and then, so that the body is never silent. */
const dripping: Fault = ({ response }) => {
  response.writeHead(206, { 'content-length': text.length })
  const drops = setInterval(() => response.write('w'), 40)
  response.on('close', () => clearInterval(drops))
}

for (const [name, fault] of Object.entries({ endless, half, short })) {
  test(`SPACE-EXPORT-5: a file whose storage answers with a body that is ${name} is left out`, async () => {
    storage.break(fault, ['GET'])
    const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
    const { left_out, entries } = JSON.parse(`${files.get('manifest.json')}`)
    assert.equal(left_out.files, 1)
    assert.ok(!files.has(`files/${fileId}`))
    assert.ok(!JSON.stringify(entries).includes(fileId))
  })

  test(`EXPORT-9: a file whose storage answers with a body that is ${name} is listed as missing`, async () => {
    storage.break(fault, ['GET'])
    const files = await takeExport(server, owner)
    const [message] = rowsIn(files, `messages/${space.general}/1.json`).filter(({ has_files }) => has_files)
    const [file] = Array.isArray(message?.files) ? message.files : []
    assert.deepEqual([file.id, file.path, file.missing], [fileId, null, 'storage'])
    assert.ok(![...files.keys()].some((path) => path.startsWith('files/')))
  })
}

async function theFile(): Promise<FileRow> {
  const found = await findFile(server.deps.database, fileId)
  if (found === undefined) throw new Error('the file is gone')
  return found
}

test('EXPORT-9: a body that drips has a time for each file', async () => {
  storage.break(dripping, ['GET'])
  const deps = { ...server.deps, readingTimes: { fileMs: 200, allMs: 60_000 } }
  const files = new WholeFiles(deps, new AbortController().signal)
  const file = await theFile()
  assert.equal(await files.open(file), 'storage')
  storage.mend()
  const content = await files.open(file)
  assert.ok(typeof content !== 'string')
  assert.equal(`${await buffer(content)}`, text)
})

test('EXPORT-9: buckets that drip have a time for all files of an archive', async () => {
  storage.break(dripping, ['GET'])
  const deps = { ...server.deps, readingTimes: { fileMs: 200, allMs: 150 } }
  const files = new WholeFiles(deps, new AbortController().signal)
  const file = await theFile()
  assert.equal(await files.open(file), 'storage')
  storage.mend()
  const asked = storage.requests.length
  assert.equal(await files.open(file), 'storage')
  assert.equal(storage.requests.length, asked)
})

test('EXPORT-9: reading ends with the run that it is for', async () => {
  storage.break(dripping, ['GET'])
  const ending = new AbortController()
  const opening = new WholeFiles(server.deps, ending.signal).open(await theFile())
  setTimeout(() => ending.abort(), 100)
  await assert.rejects(opening, { name: 'AbortError' })
})
