import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { BreakableStorage, breakOff, type Fault } from '#test/breakable-storage.ts'
import { BackupError } from './backup-error.ts'
import { contentOf } from './repository.ts'
import { S3Repository } from './s3-repository.ts'

let storage: BreakableStorage
let repository: S3Repository

before(async () => {
  storage = await BreakableStorage.start()
  repository = new S3Repository(storage.settings, 'foyer', [100, 500, 2000])
})
afterEach(() => {
  storage.mend()
  storage.objects.clear()
})
after(async () => {
  await repository.close()
  await storage.close()
})

test('BACKUP-9: a listing is complete if the storage sends shorter pages than it was asked for', async () => {
  storage.pageNames = 2
  const names = Array.from({ length: 5 }, (_, index) => `parts/00/${index}`)
  for (const name of names) await repository.write(name, contentOf(Buffer.from('part')))
  assert.deepEqual(
    await repository.list('parts'),
    names.map((name) => ({ name, sizeBytes: 4 })),
  )
})

test('BACKUP-10: a storage that is away for some seconds ends nothing', async () => {
  let failures = 0
  storage.break((exchange) => {
    failures += 1
    if (failures === 3) storage.mend()
    return breakOff(exchange)
  })
  await repository.write('parts/00/1', contentOf(Buffer.from('part')))
  assert.equal(failures, 3)
  assert.equal(String(storage.objects.get('foyer/parts/00/1')), 'part')
})

test('BACKUP-10: a storage that stays away is given up with one sentence, after repeats', async () => {
  storage.break(breakOff)
  storage.requests.length = 0
  await assert.rejects(
    repository.write('parts/00/1', contentOf(Buffer.from('part'))),
    (error) =>
      error instanceof BackupError &&
      /^the backup bucket s3:\/\/breakable\/foyer cannot be used: /.test(error.message),
  )
  assert.ok(storage.requests.length >= 4, `${storage.requests.length} tries`)
  assert.equal(storage.objects.size, 0)
})

test('BACKUP-10: an object whose answer breaks off is read on from there, also if the storage knows no ranges', async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
  await repository.write('parts/00/1', contentOf(bytes))
  const half: Fault = ({ response }) => {
    response.writeHead(200, { 'content-length': bytes.length })
    response.write(bytes.subarray(0, 150_000), () => setTimeout(() => response.destroy(), 100))
  }
  const withoutRanges: Fault = ({ request, serve }) => {
    delete request.headers.range
    return serve()
  }
  for (const later of [undefined, withoutRanges]) {
    storage.requests.length = 0
    storage.break(
      (exchange) => {
        storage.mend()
        if (later !== undefined) storage.break(later)
        return half(exchange)
      },
      ['GET'],
    )
    const body = await repository.read('parts/00/1')
    assert.ok(body !== undefined)
    assert.deepEqual(Buffer.concat(await Array.fromAsync(body)), bytes)
    assert.equal(storage.requests.length, 2)
  }
})
