import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { S3Store } from '#src/kernel/storage/s3-store.ts'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { isPageAllowed } from './preflight.ts'

const ORIGIN = 'https://chat.example'

let target: HttpTarget
let outgoing: Outgoing
let answer: { status: number; origin?: string; methods?: string; headers?: string }

before(async () => {
  target = await startTarget((_request, response) => {
    const { status, origin, methods, headers } = answer
    const rules = { origin, methods, headers }
    for (const [name, rule] of Object.entries(rules))
      if (rule !== undefined) response.setHeader(`access-control-allow-${name}`, rule)
    response.writeHead(status).end()
  })
  outgoing = new Outgoing({ allowedPrivateHosts: ['127.0.0.1'] })
})
after(async () => {
  await outgoing.close()
  await target.close()
})

async function ask(): Promise<boolean> {
  const settings = {
    endpoint: `http://127.0.0.1:${target.port}`,
    region: 'us-east-1',
    bucketName: 'a-bucket',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    usePathStyle: true,
  }
  const store = new S3Store(settings, outgoing)
  const key = `${newId()}/${newId()}`
  const upload = await store.presignUpload(key, { sizeBytes: 1, contentType: 'text/plain' }, 60)
  return isPageAllowed(outgoing, { upload, origin: ORIGIN })
}

test('BUCKET-16: a browser may do what the storage allows by its CORS rules', async () => {
  const granted = [
    { status: 200, origin: ORIGIN, methods: 'PUT', headers: 'content-type' },
    { status: 204, origin: '*', methods: 'GET, PUT,DELETE', headers: 'X-Other, Content-Type' },
    { status: 200, origin: '*', methods: '*', headers: '*' },
  ]
  for (answer of granted) assert.equal(await ask(), true)
  const { method, headers } = target.requests[0] ?? { headers: {} }
  assert.equal(method, 'OPTIONS')
  assert.equal(headers.origin, ORIGIN)
  assert.equal(headers['access-control-request-method'], 'PUT')
  assert.equal(headers['access-control-request-headers'], 'content-type')
})

test('BUCKET-16: a browser may not do what the storage leaves out', async () => {
  const usual = { status: 200, origin: ORIGIN, methods: 'PUT', headers: 'content-type' }
  const { origin: _origin, ...withoutOrigin } = usual
  const { methods: _methods, ...withoutMethods } = usual
  const { headers: _headers, ...withoutHeaders } = usual
  const lacking = [
    { ...usual, status: 403 },
    { ...usual, status: 500 },
    { ...usual, status: 302 },
    { ...usual, origin: 'https://chat.example.org' },
    { ...usual, origin: 'http://chat.example' },
    { ...usual, methods: 'GET, POST' },
    { ...usual, headers: 'content-types' },
    withoutOrigin,
    withoutMethods,
    withoutHeaders,
  ]
  for (answer of lacking) assert.equal(await ask(), false, JSON.stringify(answer))
})
