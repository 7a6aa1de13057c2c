import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { newKey } from '#test/object-storage/objects.ts'
import { openDoor } from '#test/object-storage/store-kinds.ts'
import { S3Client } from './s3-client.ts'

const outgoing = openDoor()
let fake: FakeS3
before(async () => {
  fake = await startFakeS3()
})
after(async () => {
  await outgoing.close()
  await fake.close()
})

/** Never silent, and never done. */
async function* drops(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < 6000; sent += 1) {
    yield Buffer.alloc(1000)
    await delay(10)
  }
}

test('STORE-14: a request that takes too long in total is given up without a retry, even if it is never silent', {
  timeout: 30_000,
}, async () => {
  const client = new S3Client(fake.settings(), outgoing)
  const body = async () => Readable.from(drops())
  const headers = { 'content-length': '6000000' }
  const sending = client.send({ method: 'PUT', key: newKey(), headers, body, deadlineMs: 1000 })
  await assert.rejects(sending, { fault: 'unreachable', message: '127.0.0.1 did not answer in time' })
  assert.equal(fake.requests.length, 1)
})
