import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { ApiDocument, type Operation } from '#test/fuzz/document.ts'
import { Random } from '#test/fuzz/random.ts'
import { type FuzzRequest, fuzzRequest } from '#test/fuzz/requests.ts'
import { makeWorld, type World } from '#test/fuzz/world.ts'
import type { Person } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

const REQUESTS = 5000
/** Twenty times what it takes on two cores. */
const TIMEOUT_MS = 600_000
/** Fixed by default, so that a change fails only by its own mistakes. `FUZZ_SEED=random` looks for new ones. */
const SEED = seedOf(process.env.FUZZ_SEED ?? '1')
/** Simultaneous requests, enough to keep a server busy. */
const AT_ONCE = 16
/** Answers that report something away, slow or full, and no mistake of the server. */
const KNOWN_TROUBLES = [
  'media_unreachable',
  'unavailable',
  'storage_unavailable',
  'voice_unavailable',
  'search_timeout',
  'disk_full',
]

let server: TestServer
let api: ApiDocument

before(async () => {
  server = await startOwnServer()
  api = new ApiDocument(await (await server.fetch('/api/docs/json')).json())
})
after(() => server.close())

test('HTTP-21 and REF-5: no request makes the server fail, and each error has the common shape and is in the document', {
  timeout: TIMEOUT_MS,
}, async (t: TestContext) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`)
  const random = new Random(SEED)
  const statuses = new Map<number, number>()
  const failures: string[] = []
  for (let sent = 0; sent < REQUESTS; ) {
    const world = await makeWorld(server)
    const round = roundOf(random, api.operations).slice(0, REQUESTS - sent)
    const requests = round.map((operation) => {
      const request = fuzzRequest({ document: api, random, known: world.known }, operation)
      return { operation, request, caller: random.pick(world.callers) }
    })
    await inLanes(requests, async (asked) => {
      const { status, failure } = await check(asked)
      if (failure !== undefined) failures.push(failure)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    sent += round.length
  }
  t.diagnostic(JSON.stringify(Object.fromEntries([...statuses].toSorted())))
  assert.deepEqual(failures, [])
  // Most requests must get past the first checks, or little would be tested.
  assert.ok((statuses.get(200) ?? 0) + (statuses.get(204) ?? 0) > REQUESTS / 10)
})

/** Returns each operation once. Those that delete things come last. */
function roundOf(random: Random, operations: readonly Operation[]): Operation[] {
  const isEnding = ({ method, path }: Operation) => method === 'DELETE' || path.endsWith('/logout')
  const shuffled = random.shuffled(operations)
  return [...shuffled.filter((each) => !isEnding(each)), ...shuffled.filter(isEnding)]
}

interface Asked {
  operation: Operation
  request: FuzzRequest
  caller: World['callers'][number]
}

async function check({ operation, request, caller }: Asked): Promise<{ status: number; failure?: string }> {
  const response = await send(caller, request)
  const { status, headers } = response
  const text = await response.text()
  const code = headers.get('x-error-code') ?? ''
  const isExpected = status < 500 || KNOWN_TROUBLES.includes(code)
  // A path that matches no route is no operation's error.
  const isNamed = status < 400 || code === 'not_found' || operation.errors.includes(`${status} ${code}`)
  if (isExpected && isNamed && (status < 400 || isError(headers, text))) return { status }
  const name = `${operation.method} ${operation.path}`
  return {
    status,
    failure: `${name} answered ${status} ${code} ${text.slice(0, 200)} to ${describe(request)}`,
  }
}

/** Returns true if the answer has the form of all errors: one text, and a code in the header. */
function isError(headers: Headers, text: string): boolean {
  if (headers.get('content-type') !== 'application/json; charset=utf-8' || !headers.has('x-error-code'))
    return false
  const body: object = JSON.parse(text)
  return Object.keys(body).join() === 'error' && typeof Object(body).error === 'string'
}

function send(caller: Person, { method, path, headers, body }: FuzzRequest): Promise<Response> {
  const hasBody = body !== undefined && method !== 'GET'
  return server.fetch(path, {
    method,
    headers: { ...caller.credentials, ...headers },
    redirect: 'manual',
    ...(hasBody ? { body } : {}),
  })
}

function describe({ path, body }: FuzzRequest): string {
  const text = body instanceof FormData ? JSON.stringify([...body]) : (body ?? 'no body')
  return `${path} ${text.slice(0, 2000)}`
}

async function inLanes<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = list.values()
  const lane = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

function seedOf(given: string): number {
  return given === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(given)
}
