import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { archiveOf, refusalOf } from '#test/scenes/hostile-archives.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import {
  archivedMessage,
  archivedSpace,
  type Entries,
  entriesOf,
  ROOM_ID,
  withManifest,
  zipOf,
} from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { messagesName } from './format.ts'

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

/** Replaces a name in the ZIP by another one of the same length. */
async function renamed(entries: Entries, from: string, to: string): Promise<Buffer> {
  assert.equal(from.length, to.length)
  const text = (await zipOf(entries)).toString('latin1')
  return Buffer.from(text.replaceAll(from, to), 'latin1')
}

test('SPACE-IMPORT-5: what is no archive is refused', async () => {
  assert.match(await refused(Buffer.from('hello')), /^invalid_archive: it cannot be read as a ZIP file/)
  const whole = await archiveOf(archivedSpace())
  assert.match(await refused(whole.subarray(0, whole.length / 2)), /^invalid_archive/)
  assert.match(await refused(await zipOf(new Map())), /manifest\.json is missing/)
  const other = await zipOf(withManifest(entriesOf(archivedSpace()), { format: 'album' }))
  assert.match(await refused(other), /it is not an exported space/)
  const bare = await zipOf(new Map([['manifest.json', '[]']]))
  assert.match(await refused(bare), /^invalid_archive: manifest\.json/)
})

test('SPACE-IMPORT-5: an archive of a newer version is refused in a sentence that names both', async () => {
  const newer = await zipOf(withManifest(entriesOf(archivedSpace()), { version: 5 }))
  assert.equal(
    await refused(newer),
    'archive_too_new: it has version 5 of the format, and this server reads up to version 4',
  )
})

test('SPACE-IMPORT-5: names that are not of the format are refused, and so are names that come twice', async () => {
  const id = newId()
  const entries = withManifest(entriesOf(archivedSpace(), [], [[`files/${id}`, 'x']]))
  for (const name of [`../${id.slice(0, 39)}abc`, `/iles/${id}`, `files\\${id}`, `filez/${id}`])
    assert.match(
      await refused(await renamed(entries, `files/${id}`, name.slice(0, 42))),
      /^invalid_archive/,
      name,
    )
  const other = newId()
  const two = entriesOf(
    archivedSpace(),
    [],
    [
      [`files/${id}`, 'x'],
      [`files/${other}`, 'x'],
    ],
  )
  assert.match(await refused(await renamed(withManifest(two), other, id)), /is in it twice/)
})

test('SPACE-IMPORT-5: links and encrypted entries are refused', async () => {
  const zip = await archiveOf(archivedSpace())
  const at = zip.indexOf(Buffer.from('504b0102', 'hex'))
  const link = Buffer.from(zip)
  link.writeUInt32LE((0o120777 << 16) >>> 0, at + 38)
  assert.match(await refused(link), /is a link/)
  const locked = Buffer.from(zip)
  locked.writeUInt16LE(locked.readUInt16LE(at + 8) | 1, at + 8)
  assert.match(await refused(locked), /is encrypted/)
})

test('SPACE-IMPORT-5: bytes with another checksum or size than announced are refused', async () => {
  const entries = withManifest(entriesOf(archivedSpace({ name: 'one hall' })))
  const changed = new Map([...entries, ['space.json', JSON.stringify(archivedSpace({ name: 'two hall' }))]])
  assert.match(await refused(await zipOf(changed)), /space\.json has another checksum than announced/)
  const longer = new Map([
    ...entries,
    ['space.json', JSON.stringify(archivedSpace({ name: 'the hall' }), null, 1)],
  ])
  assert.match(await refused(await zipOf(longer)), /space\.json has another size than announced/)
  const extra = new Map([...entries, [`files/${newId()}`, 'x']])
  assert.match(await refused(await zipOf(extra)), /is not in manifest\.json/)
  const fewer = new Map([...entries].filter(([name]) => name !== 'space.json'))
  assert.match(await refused(await zipOf(fewer)), /space\.json is missing/)
})

test('SPACE-IMPORT-5: an archive that unpacks to far more than it may is refused before that', async () => {
  const id = newId()
  const zip = await archiveOf(archivedSpace(), [], [[`files/${id}`, 'x']])
  const bomb = Buffer.from(zip)
  let at = bomb.indexOf(Buffer.from('504b0102', 'hex'))
  while (at >= 0) {
    bomb.writeUInt32LE(0xfffffffe, at + 24)
    at = bomb.indexOf(Buffer.from('504b0102', 'hex'), at + 1)
  }
  const limit = server.deps.config.spaceImportBytes
  const many = Math.ceil((limit * 20) / 0xfffffffe)
  const files = Array.from({ length: many }, (): [string, string] => [`files/${newId()}`, 'x'])
  const large = await archiveOf(archivedSpace(), [], files)
  let place = large.indexOf(Buffer.from('504b0102', 'hex'))
  while (place >= 0) {
    large.writeUInt32LE(0xfffffffe, place + 24)
    place = large.indexOf(Buffer.from('504b0102', 'hex'), place + 1)
  }
  assert.match(await refused(large), /it would unpack to more than/)
  assert.match(await refused(bomb), /^invalid_archive/)
})

test('SPACE-IMPORT-5: an entry that unpacks to more than its size breaks off', async () => {
  const name = messagesName(ROOM_ID, 1)
  const lines = `${JSON.stringify(archivedMessage())}\n`
  const entries = withManifest(entriesOf(archivedSpace(), [], [[name, lines]]))
  const zip = await zipOf(new Map([...entries, [name, lines.repeat(900)]]))
  // In the directory, the name of an entry comes 22 bytes after its unpacked size.
  zip.writeUInt32LE(Buffer.byteLength(lines), zip.lastIndexOf(name) - 22)
  assert.match(await refused(zip), /^invalid_archive: messages\/.* is damaged/)
})

test('SPACE-IMPORT-5: a directory with more entries than an archive may have is refused', async () => {
  const zip = Buffer.from(await archiveOf(archivedSpace()))
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  zip.writeUInt16LE(0xfffe, end + 8)
  zip.writeUInt16LE(0xfffe, end + 10)
  assert.match(await refused(zip), /^invalid_archive: its directory is damaged/)
})
