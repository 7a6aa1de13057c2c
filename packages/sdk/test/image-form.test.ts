import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { type Received, sendJson, serve } from './http-fixture.ts'

const SPACE = '01890000-0000-7000-8000-0000000000aa'
const ICON = '01890000-0000-7000-8000-0000000000bb'

/** Captures the only request of the call. */
async function capture(t: TestContext, call: (client: Client) => Promise<unknown>): Promise<Received> {
  const { baseUrl, requests } = await serve(t, (_request, response) => sendJson(response, {}))
  await call(new Client({ baseUrl, botToken: 'robot' }))
  assert.ok(requests[0])
  return requests[0]
}

function readForm({ text, headers }: Received): Promise<FormData> {
  return new Response(text, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
}

test('an update without a new image is JSON', async (t) => {
  const body = { name: 'Tea', description: null, icon: ICON, banner: null }
  const sent = await capture(t, (client) => client.spaces.update(SPACE, body))
  assert.deepEqual([sent.headers['content-type'], sent.body], ['application/json', body])
})

test('an update with a new image is an equivalent form', async (t) => {
  const icon = new File(['tea'], 'tea.png', { type: 'image/png' })
  const fields = { name: 'Tea', description: null, icon, banner: null }
  const form = await readForm(await capture(t, (client) => client.spaces.update(SPACE, fields)))
  const { icon: sent, ...texts } = Object.fromEntries(form)
  assert.deepEqual(texts, { name: 'Tea', description: '', remove_banner: 'true' })
  assert.ok(sent instanceof File)
  assert.deepEqual([sent.name, sent.type, await sent.text()], ['tea.png', 'image/png', 'tea'])
})

test('an image kept by its id is not removed in a form', async (t) => {
  const avatar = new Blob(['tea'], { type: 'image/png' })
  const sent = await capture(t, (client) => client.users.updateMe({ avatar, banner: ICON, alias: 'Tea' }))
  const form = await readForm(sent)
  assert.deepEqual([form.get('alias'), form.get('remove_banner')], ['Tea', 'false'])
  assert.ok(form.get('avatar') instanceof File)
})
