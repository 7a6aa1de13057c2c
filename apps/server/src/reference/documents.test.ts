import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { eventSchemas } from '@foyer/protocol/events'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { type ErrorCode, errors } from '#src/kernel/errors.ts'
import { settingsTable } from '#test/postgres/settings-table.ts'
import { sdkOperations } from '#test/sdk-operations.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { unusedNames } from './operation-names.ts'
import { operationsWithOwnErrors, unknownOwnErrors } from './own-errors.ts'
import { tagDescriptions } from './tags.ts'

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, Answer>
}

interface Answer {
  $ref?: string
  headers?: Record<string, { schema: { enum: ErrorCode[] } }>
  content?: { 'application/json': { schema: object } }
}

interface Document {
  openapi: string
  info: { license: object }
  servers: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { properties?: Record<string, { anyOf?: object[] }> }>
    responses: Record<string, Answer>
  }
}

let server: TestServer
let document: Document
before(async () => {
  server = await startOwnServer()
  document = JSON.parse(await (await server.fetch('/api/docs/json')).text())
})
after(() => server.close())

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      key: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')

test('REF-1: every route has a summary, a tag, its callers and its errors', () => {
  for (const { operation } of operationsOf(document)) {
    assert.ok(operation.summary && operation.tags?.length === 1 && operation.security)
    const { schema } = operation.responses.default?.content?.['application/json'] ?? {}
    assert.deepEqual(schema, { $ref: '#/components/schemas/Error' })
  }
  const security = (path: string, method: string) => document.paths[path]?.[method]?.security
  assert.deepEqual(security('/api/health', 'get'), [])
  assert.deepEqual(security('/api/spaces', 'post'), [{ bearer: [], session: [] }])
  assert.deepEqual(security('/api/spaces/{spaceId}', 'get'), [{ bearer: [], session: [] }, { bot: [] }])
})

test('REF-1: schemas appear once, and every reference leads to one', () => {
  const text = JSON.stringify(document)
  const names = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
  const { Events, ...schemas } = document.components.schemas
  assert.deepEqual([...names].toSorted(), Object.keys(schemas).toSorted())
  assert.doesNotMatch(text, /"(trim|lowercase|const|patternProperties|nullable)":/)
})

test('REF-1: the document is OpenAPI 3.1, and has its servers, license and tags', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(document.servers, [{ url: '/', description: 'This server' }])
  assert.deepEqual(document.info.license, { name: 'Apache-2.0', identifier: 'Apache-2.0' })
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []))
  assert.deepEqual([...used].toSorted(), document.tags.map(({ name }) => name).toSorted())
  assert.deepEqual(
    Object.keys(tagDescriptions),
    document.tags.map(({ name }) => name),
  )
})

test('REF-4: operations have unique names, those of the SDK where it has them', async () => {
  const operations = operationsOf(document)
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/)
  const asked = await sdkOperations()
  assert.ok(asked.length > 150)
  // A method of the SDK needs its line in operation-names.ts.
  for (const { name, method, path } of asked) {
    const [found] = operations
      .filter((each) => each.method === method && matches(each.path, path))
      .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
    if (found !== undefined)
      assert.ok(isNameOf(found.operation.operationId, name, found.path), `${found.key} is ${name}`)
  }
  assert.deepEqual(unusedNames(operations.map(({ key }) => key)), [])
})

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, 'x\\d')}$`).test(path)
}

/** A method for rooms and conversations is one in the SDK and two operations. */
function isNameOf(id: string, name: string, path: string): boolean {
  return id === name || (path.startsWith('/api/conversations/') && id === `${name}InConversation`)
}

test('REF-5: operations list their errors with the codes of each status', () => {
  const { responses } = document.components
  for (const { key, operation } of operationsOf(document)) {
    const codes = codesIn(operation)
    assert.ok(codes.includes('rate_limited') && codes.includes('internal'), key)
    if (operation.security?.length !== 0) assert.ok(codes.includes('authentication_required'), key)
    assert.equal(codes.includes('invalid_json'), operation.requestBody !== undefined, key)
  }
  for (const [name, { headers }] of Object.entries(responses))
    for (const code of codesOfAnswer({ headers: headers ?? {} }))
      assert.ok(name.startsWith(`Error${errors[code].status}.`))
  const post = document.paths['/api/rooms/{roomId}/messages']?.post
  assert.ok(post)
  for (const code of ['unknown_room', 'empty_message', 'no_bucket'] as const)
    assert.ok(codesIn(post).includes(code))
  assert.deepEqual(unknownOwnErrors(), [])
  const ids = operationsOf(document).map(({ operation }) => operation.operationId)
  assert.deepEqual(
    operationsWithOwnErrors().filter((id) => !ids.includes(id)),
    [],
  )
})

function codesIn({ responses }: Operation): ErrorCode[] {
  return Object.values(responses).flatMap((answer) =>
    codesOfAnswer(document.components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer),
  )
}

function codesOfAnswer({ headers }: Pick<Answer, 'headers'>): ErrorCode[] {
  return headers?.['X-Error-Code']?.schema.enum ?? []
}

test('REF-2: the gateway is described: its opcodes, its close codes and the data of every event', () => {
  const guide = document.paths['/api/gateway']?.get?.description ?? ''
  const numbers = [...guide.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  assert.deepEqual(numbers, [...Object.values(Opcode), ...Object.values(CloseCode)])
  const { properties } = document.components.schemas.Events ?? {}
  assert.deepEqual(Object.keys(properties ?? {}), Object.keys(eventSchemas))
  assert.deepEqual(properties?.MESSAGE_CREATE, { $ref: '#/components/schemas/NewMessage' })
  assert.deepEqual(properties?.MESSAGE_UPDATE, { $ref: '#/components/schemas/Message' })
  assert.deepEqual(properties?.USER_UPDATE?.anyOf, [
    { $ref: '#/components/schemas/CurrentUser' },
    { $ref: '#/components/schemas/User' },
  ])
})

test('REF-1: a route that accepts a form documents its texts and files, beside its JSON', () => {
  const bodies = (path: string, method: string) =>
    Object.entries(document.paths[path]?.[method]?.requestBody?.content ?? {})
  const [[json, jsonBody] = [], [form, formBody] = []] = bodies('/api/spaces/{spaceId}', 'patch')
  assert.deepEqual([json, form], ['application/json', 'multipart/form-data'])
  assert.deepEqual(jsonBody?.schema, { $ref: '#/components/schemas/UpdateSpaceBody' })
  assert.deepEqual(formBody?.schema, { $ref: '#/components/schemas/UpdateSpaceForm' })
  const { UpdateSpaceBody, UpdateSpaceForm, SendMessageForm } = document.components.schemas
  assert.match(JSON.stringify(UpdateSpaceBody), /"locale".*"icon":{"type":\["string","null"\]}/)
  assert.match(
    JSON.stringify(UpdateSpaceForm),
    /"locale".*"remove_icon":.*"icon":{"type":"string","format":"binary",/,
  )
  assert.match(
    JSON.stringify(SendMessageForm?.properties?.files),
    /^{"type":"array","items":{"type":"string","format":"binary"/,
  )
  assert.deepEqual(
    bodies('/api/spaces/{spaceId}/emojis', 'post').map(([type]) => type),
    ['multipart/form-data'],
  )
})

test('REF-1: the pages of /api/docs exist, and run only their own files', async () => {
  for (const path of ['/api/docs', '/api/docs/', '/api/docs/static/swagger-ui-bundle.js']) {
    const response = await server.fetch(path)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'self'; /)
    await response.body?.cancel()
  }
})

test('OPS-3: the README’s table of settings matches the server’s', () => {
  assert.ok(readme.includes(`\n${settingsTable()}\n`))
})
