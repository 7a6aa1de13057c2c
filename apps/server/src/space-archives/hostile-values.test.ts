import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { ZipFile } from 'yazl'
import { newId } from '#src/kernel/ids.ts'
import { archiveOf, refusalOf } from '#test/scenes/hostile-archives.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import {
  archivedMessage,
  archivedRoom,
  archivedSpace,
  entriesOf,
  importSpace,
  ROOM_ID,
  withManifest,
  zipOf,
} from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { MAX_ARCHIVED_CONTENT, MAX_SPACE_VALUES, messagesName } from './format.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
})

const refused = (archive: Buffer) => refusalOf(server, ada, archive)
const refusedMessages = async (...messages: unknown[]) => refused(await archiveOf(archivedSpace(), messages))
const arrays = (length: number) => Array.from({ length }, () => [])

test('SPACE-IMPORT-5: more values than an archive may have are refused before they are parsed', async () => {
  const entries = withManifest(entriesOf(archivedSpace()))
  const manifest = JSON.parse(`${entries.get('manifest.json')}`)
  const many = new Map([...entries, ['manifest.json', JSON.stringify({ ...manifest, x: arrays(10_000) })]])
  assert.match(await refused(await zipOf(many)), /manifest\.json has more than \d+ values/)
  const long = new Map([
    ...entries,
    ['manifest.json', JSON.stringify({ ...manifest, x: 'x'.repeat(100_000) })],
  ])
  assert.match(await refused(await zipOf(long)), /manifest\.json has more than \d+ bytes/)
  const space = { ...archivedSpace(), x: arrays(MAX_SPACE_VALUES) }
  assert.match(await refused(await archiveOf(space)), /space\.json has more than 600000 values/)
  const message = { ...archivedMessage(), x: arrays(4000) }
  assert.match(await refusedMessages(archivedMessage(), message), /line 2 has more than 4000 values/)
})

test('SPACE-IMPORT-5: commas and brackets of texts are no values', async () => {
  const content = '\\",[{'.repeat(MAX_ARCHIVED_CONTENT / 6)
  const archive = await archiveOf(archivedSpace(), [archivedMessage({ content })])
  assert.equal((await importSpace(ada, archive)).state, 'done')
})

test('SPACE-IMPORT-5: a file has no more lines than 1,000, empty ones included', async () => {
  const lines = (text: string) => entriesOf(archivedSpace(), [], [[messagesName(ROOM_ID, 1), text]])
  const empty = await zipOf(withManifest(lines('\n'.repeat(1001))))
  assert.match(await refused(empty), /000001\.ndjson has more than 1000 lines/)
  const full = await zipOf(withManifest(lines('\n'.repeat(1000))))
  assert.equal((await importSpace(ada, full)).state, 'done')
})

test('SPACE-IMPORT-5: entries with long comments are refused', async () => {
  const zip = new ZipFile()
  const options = { compress: true, fileComment: 'x'.repeat(300) }
  for (const [name, content] of withManifest(entriesOf(archivedSpace())))
    zip.addBuffer(Buffer.from(content), name, options)
  zip.end()
  assert.match(await refused(await buffer(zip.outputStream)), /has a comment or extra fields of more than/)
})

test('SPACE-IMPORT-5: damaged files and pictures are refused at once, with their place', async () => {
  const id = newId()
  const name = `files/${id}`
  const file = { id, filename: 'a.txt', content_type: 'text/plain', size_bytes: 1, description: null }
  const message = archivedMessage({ attachments: [file] })
  const entries = withManifest(entriesOf(archivedSpace(), [message], [[name, 'x']]))
  assert.match(
    await refused(await zipOf(new Map([...entries, [name, 'y']]))),
    /^invalid_archive: files\/.* has another checksum/,
  )
  const picture = Buffer.from(await (await png()).arrayBuffer())
  const other = Buffer.from(picture)
  other[other.length - 1] = 0
  const emoji = `emojis/${id}`
  const space = archivedSpace({ emojis: [{ id, name: 'tea' }] })
  const pictured = withManifest(entriesOf(space, [], [[emoji, picture]]))
  assert.match(
    await refused(await zipOf(new Map([...pictured, [emoji, other]]))),
    /^invalid_archive: emojis\/.* has another checksum/,
  )
})

test('SPACE-IMPORT-5: times that are none, or in the future, are refused, those of forwarded messages included', async () => {
  const leap = '2016-12-31T23:59:60Z'
  assert.match(await refusedMessages(archivedMessage({ created_at: leap })), /line 1: a time is/)
  assert.match(await refusedMessages(archivedMessage({ edited_at: leap })), /line 1: a time is/)
  const created_at = '2024-05-01T10:00:00.000Z'
  const late = { content: 'x', created_at, edited_at: '2999-01-01T00:00:00.000Z' }
  assert.match(await refusedMessages(archivedMessage({ forwarded: late })), /line 1: a time is/)
})

test('SPACE-IMPORT-5: names of nothing but spaces are refused', async () => {
  const author = { id: newId(), name: '  ' }
  assert.match(await refusedMessages(archivedMessage({ author })), /author\.name must not be empty/)
  const rooms = [archivedRoom({ name: ' ' })]
  assert.match(await refused(await archiveOf(archivedSpace({ rooms }))), /rooms\.0\.name must not be empty/)
})
