import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { codeOf, note, postForm } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { makeSmallDisk, type SmallDisk, withoutSmallDisks } from '#test/small-disk.ts'

const MIB = 2 ** 20
const DISK_BYTES = 16 * MIB

suite('a data folder on a small disk', { skip: withoutSmallDisks }, () => {
  let disk: SmallDisk
  let server: TestServer
  let ada: Person
  let space: TestSpace

  before(async () => {
    disk = makeSmallDisk(DISK_BYTES)
    server = await startTestServer({ dataDir: disk.folder, minFreeDiskBytes: 0 })
    ada = await createPerson(server, 'ada')
    space = await makeSpace(ada)
  })
  after(async () => {
    await server.close()
    disk.remove()
  })

  const post = (sizeBytes: number) =>
    codeOf(postForm(ada, space.general, formOf(['files', note('x'.repeat(sizeBytes))])))

  test('STORE-12: a form too large for the disk is 507 and leaves nothing, and a smaller one is accepted', async () => {
    assert.equal(await post(20 * MIB), '507 disk_full')
    const left = await readdir(join(disk.folder, 'tmp'), { recursive: true, withFileTypes: true })
    assert.deepEqual(
      left.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    )
    assert.equal(await post(MIB), 200)
  })

  test('STORE-12: a direct upload too large for the disk is 507', async () => {
    const announced = { filename: 'a.bin', size_bytes: 20 * MIB, content_type: 'application/x-raw' }
    const { upload } = await ada.client.attachments.create(space.general, announced)
    const { method, headers } = upload
    const answer = await server.fetch(upload.url, { method, headers, body: Buffer.alloc(20 * MIB) })
    assert.deepEqual([answer.status, answer.headers.get('x-error-code')], [507, 'disk_full'])
    assert.deepEqual(await answer.json(), {
      error: 'the server has too little disk space left for files, try again later',
    })
  })
})

suite('a disk with little free space', { skip: withoutSmallDisks }, () => {
  let disk: SmallDisk
  let server: TestServer
  let ada: Person
  let space: TestSpace
  const post = (sizeBytes: number) =>
    codeOf(postForm(ada, space.general, formOf(['files', note('x'.repeat(sizeBytes))])))
  const reserve = () =>
    codeOf(
      ada.call('POST', `/api/rooms/${space.general}/attachments`, {
        filename: 'a.bin',
        size_bytes: MIB,
        content_type: 'application/x-raw',
      }),
    )

  before(async () => {
    disk = makeSmallDisk(DISK_BYTES)
    server = await startTestServer({ dataDir: disk.folder, minFreeDiskBytes: DISK_BYTES / 2 })
    ada = await createPerson(server, 'ada')
    space = await makeSpace(ada)
    await ada.client.buckets.createIncluded(space.id)
  })
  after(async () => {
    await server.close()
    disk.remove()
  })

  test('STORE-22: uploads that would leave too little space are 507, messages are accepted, and uploads again once there is space', async () => {
    const upload = await ada.client.attachments.create(space.general, {
      filename: 'b.bin',
      size_bytes: MIB,
      content_type: 'application/x-raw',
    })
    const put = async () => {
      const { url, method, headers } = upload.upload
      return (await server.fetch(url, { method, headers, body: Buffer.alloc(MIB) })).status
    }
    assert.deepEqual([await post(MIB), await reserve()], [200, 200])

    const ballast = join(disk.folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(7 * MIB))
    assert.deepEqual([await post(MIB), await reserve(), await put()], ['507 disk_full', '507 disk_full', 507])
    await ada.client.messages.create(space.general, { content: 'words need no room for files' })

    await rm(ballast)
    assert.deepEqual([await post(MIB), await reserve(), await put()], [200, 200, 200])
  })
})
