import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { startKernel, type TestKernel } from '#test/kernel.ts'
import type { App } from '../types.ts'
import { readBody, readOptionalBody } from './body.ts'
import { readForm } from './multipart.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data; boundary=x'
const FORM = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nada\r\n--x--\r\n'

let kernel: TestKernel
before(async () => {
  kernel = await startKernel(addRoutes)
})
after(() => kernel.app.close())

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  const schema = { body: Type.Object({ count: Type.Integer() }) }
  app.post('/whole', { config, schema }, (request) => readBody(request))
  app.post('/optional', { config, schema }, (request) => readOptionalBody(request))
  app.post('/form', { config }, async (request) => {
    await using form = await readForm(request)
    return form.fields
  })
  app.post('/closed', { config, schema }, async () => {
    throw new ApiError('missing_permission')
  })
}

const bodies = {
  '/whole': [JSON_TYPE, '{"count":1}', { count: 1 }],
  '/optional': [JSON_TYPE, '{"count":1}', { count: 1 }],
  '/form': [FORM_TYPE, FORM, { name: 'ada' }],
} as const

function post(path: string, type: string, [body, encoding]: [BodyInit, string]): Promise<Response> {
  const headers = { 'content-type': type, 'content-encoding': encoding }
  return kernel.fetch(path, { method: 'POST', headers, body })
}

for (const [path, [type, body, answer]] of Object.entries(bodies))
  test(`HTTP-24: a compressed body is 415 at ${path}, and the answer says what is accepted`, async () => {
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'Deflate']) {
      const refused = await post(path, type, [gzipSync(body), encoding])
      assert.equal(refused.headers.get('accept-encoding'), 'identity')
      assert.deepEqual(
        [refused.status, await refused.json()],
        [415, { error: 'the request body must not be compressed' }],
      )
    }
    for (const encoding of ['identity', 'Identity', '']) {
      const taken = await post(path, type, [body, encoding])
      assert.deepEqual([taken.status, await taken.json()], [200, answer])
    }
  })

test('HTTP-24: access is checked before the encoding', async () => {
  assert.equal((await post('/closed', JSON_TYPE, [gzipSync('{}'), 'gzip'])).status, 403)
})
