import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { createLog } from '#src/kernel/log.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { newKey, putBytes, readBytes, temporaryFolder } from '#test/object-storage/objects.ts'
import { makeBucket, whyNoS3 } from '#test/object-storage/real-s3.ts'
import { openDoor } from '#test/object-storage/store-kinds.ts'
import { type ObjectStore, StoreError, type StoreFault } from './object-store.ts'
import { S3Store } from './s3-store.ts'

const LOOK = { contentType: 'text/plain', filename: 'a.txt', inline: true }

let fake: FakeS3
let outgoing: Outgoing
let store: S3Store
before(async () => {
  fake = await startFakeS3()
  outgoing = openDoor()
  store = new S3Store(fake.settings(), outgoing)
})
afterEach(() => fake.heal())
after(async () => {
  await outgoing.close()
  await fake.close()
})

async function everyOperation(asked: ObjectStore, check: (work: Promise<unknown>) => Promise<void>) {
  const key = newKey()
  await check(putBytes(asked, key, Buffer.from('x')))
  await check(asked.read(key))
  await check(asked.sizeOf(key))
  await check(asked.move(key, newKey()))
  await check(asked.copy(key, newKey()))
  await check(asked.delete(key))
}

test('STORE-13: every error of an S3 server becomes one of four', async () => {
  const answers: [status: number, code: string, fault: StoreFault][] = [
    [403, 'AccessDenied', 'refused'],
    [403, 'InvalidAccessKeyId', 'refused'],
    [403, 'SignatureDoesNotMatch', 'refused'],
    [401, 'Whatever', 'refused'],
    [404, 'NoSuchBucket', 'refused'],
    [400, 'AuthorizationHeaderMalformed', 'refused'],
    [403, 'QuotaExceeded', 'full'],
    [507, 'XMinioStorageFull', 'full'],
    [413, 'EntityTooLarge', 'full'],
    [301, 'PermanentRedirect', 'unreachable'],
    [307, 'TemporaryRedirect', 'unreachable'],
    [500, 'InternalError', 'unreachable'],
    [503, 'SlowDown', 'unreachable'],
    [404, 'NotFromS3', 'unreachable'],
    [200, 'InternalError', 'unreachable'],
  ]
  for (const [status, code, fault] of answers) {
    fake.fail({ status, code })
    const answered = { fault, message: `the storage answered ${status} ${code}` }
    await assert.rejects(store.move(newKey(), newKey()), answered)
    if (status === 200) continue
    await assert.rejects(putBytes(store, newKey(), Buffer.from('x')), answered)
    await assert.rejects(store.read(newKey()), answered)
    await assert.rejects(store.delete(newKey()), answered)
  }
})

test('STORE-13: HEAD has no error document, and its status decides', async () => {
  for (const [status, fault] of [
    [403, 'refused'],
    [507, 'full'],
    [500, 'unreachable'],
  ] as const) {
    fake.fail({ status, code: 'Unseen' })
    await assert.rejects(store.sizeOf(newKey()), { fault, message: `the storage answered ${status}` })
  }
})

test('STORE-13: a wrong password, region, bucket or host fails in every operation', async () => {
  const right = fake.settings()
  const wrong = [
    [{ ...right, secretAccessKey: 'guessed' }, 'refused', /SignatureDoesNotMatch$|answered 403$/],
    [{ ...right, accessKeyId: 'guessed' }, 'refused', /InvalidAccessKeyId$|answered 403$/],
    [{ ...right, region: 'nowhere-1' }, 'refused', /AuthorizationHeaderMalformed$|answered 403$/],
    [{ ...right, bucketName: '../a-bucket' }, 'refused', /^this is not a valid bucket name$/],
    [{ ...right, bucketName: 'a/b', usePathStyle: false }, 'refused', /^this is not a valid bucket name$/],
    [
      { ...right, usePathStyle: false },
      'refused',
      /^this bucket and endpoint form no valid host name, use path-style addresses$/,
    ],
    [{ ...right, endpoint: 'nonsense' }, 'refused', /^the endpoint is not a valid address$/],
    [{ ...right, endpoint: 'http://10.0.0.1' }, 'refused', /^10\.0\.0\.1 is an address that/],
    [{ ...right, endpoint: 'http://127.0.0.1:1' }, 'unreachable', /^127\.0\.0\.1 could not be reached$/],
  ] as const
  for (const [settings, fault, message] of wrong) {
    const asked = new S3Store(settings, outgoing)
    await everyOperation(asked, (work) => assert.rejects(work, { fault, message }))
  }
  const elsewhere = new S3Store({ ...right, bucketName: 'another' }, outgoing)
  await assert.rejects(elsewhere.read(newKey()), { fault: 'refused', message: /404 NoSuchBucket$/ })
})

test('STORE-13: a password changed while in use is refused from then on', async () => {
  const key = newKey()
  await putBytes(store, key, Buffer.from('x'))
  const known = fake.secretAccessKey
  fake.secretAccessKey = 'another'
  await assert.rejects(store.read(key), { fault: 'refused' })
  fake.secretAccessKey = known
  assert.equal(String(await readBytes(store, key)), 'x')
})

test('STORE-13: a large file is refused like a small one', {
  skip: whyNoS3(),
}, async () => {
  const large = Buffer.alloc(20_000_000)
  const wrongFake = new S3Store({ ...fake.settings(), secretAccessKey: 'wrong' }, outgoing)
  await assert.rejects(putBytes(wrongFake, newKey(), large), { fault: 'refused' })
  const wrongReal = new S3Store({ ...(await makeBucket()), secretAccessKey: 'wrong' }, outgoing)
  await assert.rejects(putBytes(wrongReal, newKey(), large), { fault: 'refused' })
})

test('STORE-14: temporary errors are retried once, with the whole body', async () => {
  for (const fault of ['drop', { status: 503, code: 'SlowDown' }, { status: 500, code: 'X' }] as const) {
    const key = newKey()
    fake.fail(fault, 1)
    await putBytes(store, key, Buffer.from('whole'))
    fake.fail(fault, 1)
    assert.equal(String(await readBytes(store, key)), 'whole')
    fake.fail(fault, 2)
    await assert.rejects(store.sizeOf(key), { fault: 'unreachable' })
    assert.equal(await store.sizeOf(key), 5)
  }
  fake.fail({ status: 403, code: 'AccessDenied' }, 1)
  await assert.rejects(store.read(newKey()), { fault: 'refused' })
})

test('STORE-14: a silent server is given up without a retry', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  fake.fail('silence')
  const asked = fake.requests.length
  const outcome = assert.rejects(store.sizeOf(newKey()), {
    fault: 'unreachable',
    message: '127.0.0.1 did not answer in time',
  })
  while (fake.requests.length === asked) await turn()
  context.mock.timers.tick(20_000)
  await outcome
  assert.equal(fake.requests.length, asked + 1)
})

test('STORE-14: an endless answer is given up', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  fake.fail('trickle')
  const asked = fake.requests.length
  const outcome = assert.rejects(store.delete(newKey()), StoreError)
  while (fake.requests.length === asked) await turn()
  // Long enough for the beginning of the answer to arrive.
  const ticking = setInterval(() => context.mock.timers.tick(20_000), 100)
  await outcome.finally(() => clearInterval(ticking))
})

test('STORE-14: an aborted upload stores nothing', async () => {
  const key = newKey()
  fake.fail('break-up')
  await assert.rejects(putBytes(store, key, Buffer.alloc(2_000_000)), { fault: 'unreachable' })
  fake.heal()
  assert.equal(await store.sizeOf(key), undefined)
})

test('STORE-14: a file whose length differs from the announced one stores nothing', async (context) => {
  const path = join(await temporaryFolder(context), 'file')
  await writeFile(path, 'four')
  for (const sizeBytes of [3, 5]) {
    const key = newKey()
    await assert.rejects(store.put(key, { path, sizeBytes, contentType: 'text/plain' }), {
      fault: 'unreachable',
    })
    assert.equal(await store.sizeOf(key), undefined)
  }
})

test('STORE-14: an aborted download ends in an error', async () => {
  const key = newKey()
  await putBytes(store, key, Buffer.alloc(2_000_000))
  fake.fail('break-down')
  await assert.rejects(readBytes(store, key), /127\.0\.0\.1 could not be reached/)
})

test('STORE-17: no more of a range is read than was requested, however much the storage sends', async () => {
  const key = newKey()
  await putBytes(store, key, Buffer.alloc(200_000))
  const range = { start: 0, end: 99_999 }
  assert.equal((await readBytes(store, key, range)).length, 100_000)
  fake.fail('flood')
  await assert.rejects(readBytes(store, key, range), { reason: 'too_large' })
  fake.fail({ status: 403, code: 'AccessDenied' })
  await assert.rejects(readBytes(store, key, { start: 0, end: 0 }), { message: /403 AccessDenied$/ })
})

test('STORE-15: an endpoint may have a path, and its query and fragment are dropped', async () => {
  const settings = { ...fake.settings(), endpoint: 'https://s3.example.org:9000/a/prefix/?x=1#y' }
  const key = newKey()
  const inPath = new URL(await new S3Store(settings, outgoing).presignDownload(key, LOOK, 60))
  assert.equal(`${inPath.origin}${inPath.pathname}`, `https://s3.example.org:9000/a/prefix/a-bucket/${key}`)
  assert.equal(inPath.searchParams.has('x'), false)
  const hosted = new S3Store({ ...settings, usePathStyle: false }, outgoing)
  const inHost = new URL(await hosted.presignDownload(key, LOOK, 60))
  assert.equal(`${inHost.origin}${inHost.pathname}`, `https://a-bucket.s3.example.org:9000/a/prefix/${key}`)
})

test('STORE-16: errors and their log lines contain no secret and no signature', async () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => lines.push(line) })
  const { secretAccessKey } = fake.settings()
  const heard: unknown[] = []
  const hear = (error: unknown) => heard.push(error)
  for (const fault of ['drop', 'break-up', { status: 403, code: 'SignatureDoesNotMatch' }] as const) {
    fake.fail(fault)
    await everyOperation(store, async (work) => void (await work.then(hear, hear)))
  }
  const blocked = new S3Store(fake.settings(), new Outgoing({ allowedPrivateHosts: [] }))
  await everyOperation(blocked, async (work) => void (await work.then(hear, hear)))
  for (const error of heard) log.error({ err: error }, 'failed')
  assert.equal(heard.length, 24)
  const told = [...lines, ...heard.map((error) => inspect(error, { depth: 20, showHidden: true }))].join('\n')
  assert.match(told, /could not be reached/)
  assert.match(told, /is an address that/)
  assert.ok(!told.includes(secretAccessKey))
  assert.doesNotMatch(told, /Signature=|AWS4-HMAC/)
})
