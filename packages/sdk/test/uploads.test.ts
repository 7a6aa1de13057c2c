import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { uploadFile } from '@foyer/sdk/uploads'
import { beBrowser } from './fake-xhr.ts'
import { type Answer, dropAnswer, sendError, sendJson, sendNothing, serve } from './http-fixture.ts'

const ROOM = '01890000-0000-7000-8000-0000000000aa'
const FILE = '01890000-0000-7000-8000-0000000000cc'
const CANCELLED = `DELETE /api/rooms/${ROOM}/attachments/${FILE}`
const file = new File(['tea'], 'tea.txt', { type: 'text/plain' })

/** A server that reserves uploads to its own storage, with scripted answers to them. */
async function serveStorage(t: TestContext, answerUpload: Answer) {
  const served = await serve(t, (request, response) => {
    if (request.path.startsWith('/storage/')) return answerUpload(request, response)
    if (request.method === 'DELETE') return sendNothing(response)
    const upload = { url: '/storage/tea', method: 'PUT', headers: { 'content-type': 'text/plain' } }
    sendJson(response, { attachment_id: FILE, upload, expires_at: new Date().toISOString() })
  })
  const calls = () => served.requests.map(({ method, path }) => `${method} ${path}`)
  return { ...served, calls, client: new Client({ baseUrl: `${served.baseUrl}/`, botToken: 'robot' }) }
}

/** Waits for the cancellation, which the caller does not await. */
async function waitForCancel(t: TestContext, calls: () => string[]): Promise<void> {
  await t.waitFor(() => assert.equal(calls().at(-1), CANCELLED))
}

describe('a direct upload', () => {
  test('reserves space, goes to the storage without a credential, and returns its id', async (t) => {
    const { client, requests, calls } = await serveStorage(t, (_request, response) => sendNothing(response))
    const progress: number[] = []
    const id = await uploadFile(client, ROOM, file, { onProgress: (sent) => progress.push(sent) })
    assert.equal(id, FILE)
    assert.deepEqual(calls(), [`POST /api/rooms/${ROOM}/attachments`, 'PUT /storage/tea'])
    const [reserved, sent] = requests
    assert.deepEqual(reserved?.body, { filename: 'tea.txt', size_bytes: 3, content_type: 'text/plain' })
    assert.deepEqual([sent?.text, sent?.headers['content-type']], ['tea', 'text/plain'])
    assert.equal(sent?.headers.authorization, undefined)
    assert.deepEqual(progress, [3])
  })

  test('of a file without a type has a generic one', async (t) => {
    const { client, requests } = await serveStorage(t, (_request, response) => sendNothing(response))
    await uploadFile(client, ROOM, new File([], 'empty'))
    const nothing = { filename: 'empty', size_bytes: 0, content_type: 'application/octet-stream' }
    assert.deepEqual(requests[0]?.body, nothing)
  })

  test('that the storage refuses fails and is cancelled', async (t) => {
    const { client, calls } = await serveStorage(t, (_request, response) => sendError(response, 403))
    await assert.rejects(uploadFile(client, ROOM, file), { name: 'ApiError', status: 403 })
    await waitForCancel(t, calls)
  })

  test('that is interrupted fails and is cancelled', async (t) => {
    const { client, calls } = await serveStorage(t, (_request, response) => dropAnswer(response))
    await assert.rejects(uploadFile(client, ROOM, file), { name: 'NetworkError' })
    await waitForCancel(t, calls)
  })

  test('that is aborted fails with the reason and is cancelled', async (t) => {
    const cancelled = new AbortController()
    const { client, calls } = await serveStorage(t, () => cancelled.abort(new Error('enough')))
    await assert.rejects(uploadFile(client, ROOM, file, cancelled), { message: 'enough' })
    await waitForCancel(t, calls)
  })
})

describe('a direct upload in a browser', () => {
  test('reports progress', async (t) => {
    const { client, requests } = await serveStorage(t, (_request, response) => sendNothing(response))
    beBrowser(t)
    const progress: number[] = []
    await uploadFile(client, ROOM, file, { onProgress: (sent) => progress.push(sent) })
    assert.deepEqual(progress, [1, 3])
    assert.deepEqual([requests[1]?.text, requests[1]?.headers['content-type']], ['tea', 'text/plain'])
  })

  test('fails like elsewhere', async (t) => {
    beBrowser(t)
    const refused = await serveStorage(t, (_request, response) =>
      sendError(response, 503, { 'retry-after': '2' }),
    )
    const expected = { name: 'ApiError', status: 503, retryAfterMs: 2000 }
    await assert.rejects(uploadFile(refused.client, ROOM, file), expected)
    await waitForCancel(t, refused.calls)
    const broken = await serveStorage(t, (_request, response) => dropAnswer(response))
    await assert.rejects(uploadFile(broken.client, ROOM, file), { name: 'NetworkError' })
    await waitForCancel(t, broken.calls)
  })

  test('aborts the request when it is cancelled', async (t) => {
    beBrowser(t)
    const cancelled = new AbortController()
    const ended = Promise.withResolvers<void>()
    const { client, calls } = await serveStorage(t, (_request, response) => {
      response.on('close', ended.resolve)
      cancelled.abort(new Error('enough'))
    })
    await assert.rejects(uploadFile(client, ROOM, file, cancelled), { message: 'enough' })
    await ended.promise
    await waitForCancel(t, calls)
  })
})

test('a message with files is one form, with the same nonce for each attempt', async (t) => {
  let attempts = 0
  const { baseUrl, requests } = await serve(t, (_request, response) => {
    attempts += 1
    if (attempts === 1) return dropAnswer(response)
    sendJson(response, { id: 'message' })
  })
  const client = new Client({ baseUrl, botToken: 'robot', retry: { baseDelayMs: 2 } })
  const sent = await client.messages.createWithFiles(ROOM, { content: 'look' }, [file, new Blob(['cake'])])
  assert.equal(sent.id, 'message')
  const forms = await Promise.all(
    requests.map(({ text, headers }) =>
      new Response(text, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData(),
    ),
  )
  const bodies = forms.map((form) => JSON.parse(String(form.get('payload_json'))))
  assert.equal(bodies[0]?.content, 'look')
  assert.deepEqual(bodies[1], bodies[0])
  assert.match(bodies[0]?.nonce, /^[0-9a-f]{32}$/)
  const files = forms[1]?.getAll('files').filter((part) => typeof part !== 'string') ?? []
  assert.deepEqual(
    files.map(({ name, type }) => [name, type]),
    [
      ['tea.txt', 'text/plain'],
      ['blob', 'application/octet-stream'],
    ],
  )
})
