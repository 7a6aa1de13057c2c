import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PRESIGNED_URL_SECONDS } from '@foyer/protocol/limits'
import { discardFiles } from '#src/files/objects/actions.ts'
import { newId } from '#src/kernel/ids.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { type NewStoredFile, placeFile } from '#test/stored-files.ts'

const bytes = Buffer.from('what the file holds')
const HOUR_MS = 60 * 60 * 1000

let server: TestServer
let owner: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
})
after(() => server.close())

/** Inserts a file of the space, by default a message's. */
async function place(given: Partial<NewStoredFile> = {}): Promise<string> {
  const ofMessage = { purpose: 'message', roomId: space.general, messageId: newId() } as const
  const file = await placeFile(server, { tenantId: space.id, bytes, ...ofMessage, ...given })
  return file.id
}

const signedUrl = (id: string, now = Date.now()) => server.deps.downloads.urlOf(id, now)

/** Requests a download without following redirects. */
async function answerTo(path: string, headers: Record<string, string> = {}) {
  const response = await server.fetch(path, { redirect: 'manual', headers })
  const { status } = response
  const text = await response.text()
  return { status, headers: response.headers, text, code: codeOf(response), location: locationOf(response) }
}

const codeOf = ({ headers }: Response) => headers.get('x-error-code')
const locationOf = ({ headers }: Response) => headers.get('location') ?? ''

/** Returns the status of a signed address. */
async function outcomeOf(path: string) {
  const { status, code } = await answerTo(path)
  return code === null ? status : `${status} ${code}`
}

test('FILE-1: a download redirects to a storage URL, which works for an hour and accepts ranges', async () => {
  const id = await place()
  const { status, location, text } = await answerTo(signedUrl(id))
  assert.deepEqual([status, text], [307, ''])
  assert.match(location, /^\/storage\//)
  const file = await server.fetch(location)
  assert.equal(await file.text(), bytes.toString())
  const part = await server.fetch(location, { headers: { range: 'bytes=5-7' } })
  assert.deepEqual([part.status, await part.text()], [206, bytes.subarray(5, 8).toString()])
  const expiry = Number(new URLSearchParams(location.split('?')[1]).get('exp'))
  const left = expiry - Date.now() / 1000
  assert.ok(left > PRESIGNED_URL_SECONDS - 20 && left <= PRESIGNED_URL_SECONDS, `${left} s are left`)
})

test('FILE-1: stream=1 answers with the file itself, and any other value redirects', async () => {
  const url = signedUrl(await place())
  const { status, text } = await answerTo(`${url}&stream=1`)
  assert.deepEqual([status, text], [200, bytes.toString()])
  for (const other of ['stream=0', 'stream=', 'stream=true', 'stream=1&stream=1', 'stream=11'])
    assert.equal((await answerTo(`${url}&${other}`)).status, 307, other)
})

test('FILE-1: a file that does not exist, is not shown yet or was deleted is 404', async () => {
  const states = ['reserved', 'stored', 'deleted', 'removed'] as const
  const ids = await Promise.all(states.map((state) => place({ state })))
  for (const id of [...ids, newId()]) {
    for (const path of [signedUrl(id), `${signedUrl(id)}&stream=1`, `/attachments/${id}`])
      assert.equal(await outcomeOf(path), '404 unknown_attachment', path)
  }
  assert.equal(await outcomeOf('/attachments/no-id'), '400 invalid_request')
})

test('FILE-1: a deleted file is 404, however often it was downloaded before', async () => {
  const id = await place()
  assert.equal(await outcomeOf(signedUrl(id)), 307)
  await server.deps.database.transaction((transaction) => discardFiles(transaction, space.id, [id]))
  assert.equal(await outcomeOf(signedUrl(id)), '404 unknown_attachment')
})

test('FILE-2: a missing, empty, repeated or invalid signature is refused', async () => {
  const id = await place()
  const [, sig = '', exp = ''] = /sig=(.+)&exp=(.+)/.exec(signedUrl(id)) ?? []
  assert.equal(await outcomeOf(`/attachments/${id}?sig=${sig}&exp=${exp}`), 307)
  const queries = [
    '?',
    '?other=1',
    `?sig=${sig}`,
    `?exp=${exp}`,
    `?sig=&exp=${exp}`,
    `?sig=${sig}&exp=`,
    `?sig=${sig}&sig=${sig}&exp=${exp}`,
    `?sig=${sig}&exp=${exp}&exp=${exp}`,
    `?sig[]=${sig}&exp=${exp}`,
    `?sig=${'a'.repeat(43)}&exp=${exp}`,
    `?sig=${sig}&exp=${'9'.repeat(6000)}`,
    `?sig=${sig.repeat(100)}&exp=${exp}`,
    `?sig=${sig}&exp=0${exp}`,
    `?sig=${sig}&exp=+${exp}`,
    `?sig=${sig}&exp=${exp}.0`,
    `?sig=${sig}&exp=-1`,
    `?sig=${sig}&exp=NaN`,
    `?sig=${sig}&exp=1e99`,
    `?sig=${sig}=&exp=${exp}`,
    `?sig=%F0%9F%98%80&exp=${exp}`,
    `?sig=${'%C5%81'.repeat(43)}&exp=${exp}`,
  ]
  for (const query of queries)
    for (const stream of ['', '&stream=1'])
      assert.equal(await outcomeOf(`/attachments/${id}${query}${stream}`), '403 invalid_signature', query)
})

test('FILE-2: a signature with any altered character is refused, even a similar one', async () => {
  const url = signedUrl(await place())
  assert.equal(await outcomeOf(url), 307)
  for (const altered of alterationsOf(url))
    assert.equal(await outcomeOf(altered), '403 invalid_signature', altered)
})

/**
 * Returns variants of the address: each character of its values replaced by another, by one whose code ends in the same
 * byte, or removed.
 */
function alterationsOf(url: string): string[] {
  const [, start = '', sig = '', middle = '', exp = ''] = /^(.+sig=)(.+)(&exp=)(.+)$/.exec(url) ?? []
  return [
    ...spellingsOf(sig).map((other) => `${start}${other}${middle}${exp}`),
    ...spellingsOf(exp).map((other) => `${start}${sig}${middle}${other}`),
  ]
}

function spellingsOf(value: string): string[] {
  return [...value].flatMap((character, at) => {
    const twin = encodeURIComponent(String.fromCharCode(character.charCodeAt(0) + 0x100))
    const others = [character === 'A' ? 'B' : 'A', twin, '']
    return others.map((other) => value.slice(0, at) + other + value.slice(at + 1))
  })
}

test('FILE-2: a signature is for one file, until it expires', async () => {
  const [id, another] = [await place(), await place()]
  const query = signedUrl(another).split('?')[1]
  assert.equal(await outcomeOf(`/attachments/${id}?${query}`), '403 invalid_signature')
  const seconds = Math.floor(Date.now() / 1000)
  assert.equal(await outcomeOf(server.deps.downloads.sign(id, seconds - 1)), '403 invalid_signature')
  assert.equal(await outcomeOf(server.deps.downloads.sign(id, seconds + 60)), 307)
})

test('FILE-2: a URL works for 24 to 25 hours, and stays the same for an hour', async () => {
  const id = newId()
  const at = Date.UTC(2026, 10, 21, 10, 0, 1)
  assert.equal(signedUrl(id, at), signedUrl(id, at + HOUR_MS - 2000))
  assert.notEqual(signedUrl(id, at), signedUrl(id, at + HOUR_MS))
  const expiry = Number(/exp=(\d+)$/.exec(signedUrl(id, at))?.[1]) * 1000
  assert.ok(expiry >= at + 24 * HOUR_MS && expiry <= at + 25 * HOUR_MS)
})

test('FILE-2: images of spaces and users need no signature', async () => {
  for (const purpose of ['emoji', 'sticker', 'icon', 'banner', 'avatar'] as const) {
    const file = await placeFile(server, { tenantId: space.id, purpose, bytes })
    for (const query of ['', '?sig=wrong&exp=1', '?sig=a&sig=b'])
      assert.equal(await outcomeOf(`/attachments/${file.id}${query}`), 307, `${purpose} ${query}`)
    const { status, text } = await answerTo(`/attachments/${file.id}?stream=1`)
    assert.deepEqual([status, text], [200, bytes.toString()])
  }
})

test('FILE-3: only the browser caches the answer, and not beyond the expiry of its target', async () => {
  const id = await place()
  const cachingOf = async (url: string) => (await answerTo(url)).headers.get('cache-control')
  for (const url of [signedUrl(id), `${signedUrl(id)}&stream=1`])
    assert.equal(await cachingOf(url), 'private, max-age=1800')
  const soon = Math.floor(Date.now() / 1000) + 100
  assert.match((await cachingOf(server.deps.downloads.sign(id, soon))) ?? '', /^private, max-age=(9\d|100)$/)
  assert.equal(await cachingOf(`/attachments/${id}`), 'no-store')
})

test('FILE-18: a browser that would run a file, or use it as a style sheet, is refused', async () => {
  const url = signedUrl(await place({ contentType: 'text/javascript' }))
  const { location } = await answerTo(url)
  const refused = ['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'manifest']
  for (const path of [url, `${url}&stream=1`, location]) {
    for (const destination of refused) {
      const { status, code, text } = await answerTo(path, { 'sec-fetch-dest': destination })
      assert.deepEqual([status, code], [403, 'not_executable'], `${destination} ${path}`)
      assert.equal(typeof JSON.parse(text).error, 'string')
    }
    const worker = await answerTo(path, { 'service-worker': 'script' })
    assert.deepEqual([worker.status, worker.code], [403, 'not_executable'], path)
    for (const destination of ['image', 'video', 'audio', 'document', 'empty']) {
      const { status } = await answerTo(path, { 'sec-fetch-dest': destination })
      assert.ok(status === 200 || status === 307, `${destination} ${path}`)
    }
  }
})
