import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { eventSchemas } from '@foyer/protocol/events'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { errors } from '#src/kernel/errors.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { settingsTable } from '#test/settings-table.ts'

interface Operation {
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: Record<string, object> }> }
}

let server: TestServer
let document: Document
before(async () => {
  server = await startTestServer()
  document = JSON.parse(await (await server.fetch('/api/docs/json')).text())
})
after(() => server.close())

const specification = readFileSync(new URL('../../../../docs/SPEC.md', import.meta.url), 'utf8')
const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')

test('REF-1: the routes are those of docs/SPEC.md, and have its names', () => {
  const served = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\` — ${summary}`,
    ),
  )
  const specified = (specification.match(/^- `[A-Z]+ \/.*$/gm) ?? []).map(withBraces)
  assert.ok(served.length > 10)
  assert.deepEqual(specified.toSorted(), served.toSorted())
})

function withBraces(line: string): string {
  return line.replaceAll(/\/:(\w+)/g, '/{$1}')
}

test('REF-1: every route has a summary, a tag, who may call it, and its errors', () => {
  assert.equal(document.openapi, '3.0.3')
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    assert.ok(operation.summary && operation.tags?.length === 1 && operation.security)
    const { schema } = operation.responses.default?.content?.['application/json'] ?? {}
    assert.deepEqual(schema, { $ref: '#/components/schemas/Error' })
  }
  const security = (path: string, method: string) => document.paths[path]?.[method]?.security
  assert.deepEqual(security('/api/health', 'get'), [])
  assert.deepEqual(security('/api/spaces', 'post'), [{ bearer: [], session: [] }])
  assert.deepEqual(security('/api/spaces/{spaceId}', 'get'), [{ bearer: [], session: [] }, { bot: [] }])
})

test('REF-1: shapes stand once, and every reference leads to one', () => {
  const text = JSON.stringify(document)
  const names = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
  const { Events, ...schemas } = document.components.schemas
  assert.deepEqual([...names].toSorted(), Object.keys(schemas).toSorted())
  assert.doesNotMatch(text, /"(trim|lowercase|const|patternProperties)":/)
})

test('REF-2: the gateway is described: its opcodes, its close codes and the data of every event', () => {
  const guide = document.paths['/api/gateway']?.get?.description ?? ''
  const numbers = [...guide.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  assert.deepEqual(numbers, [...Object.values(Opcode), ...Object.values(CloseCode)])
  const { properties } = document.components.schemas.Events ?? {}
  assert.deepEqual(Object.keys(properties ?? {}), Object.keys(eventSchemas))
  assert.deepEqual(properties?.MESSAGE_CREATE, { $ref: '#/components/schemas/Message' })
})

test('REF-1: a route that takes a form shows its texts and files, beside its JSON', () => {
  const bodies = (path: string, method: string) =>
    Object.entries(document.paths[path]?.[method]?.requestBody?.content ?? {})
  const [[json, jsonBody] = [], [form, formBody] = []] = bodies('/api/spaces/{spaceId}', 'patch')
  assert.deepEqual([json, form], ['application/json', 'multipart/form-data'])
  assert.match(JSON.stringify(jsonBody), /"locale".*"icon":{"type":"string","nullable":true}/)
  assert.match(
    JSON.stringify(formBody),
    /"locale".*"remove_icon":.*"icon":{"type":"string","format":"binary"}/,
  )
  assert.deepEqual(
    bodies('/api/spaces/{spaceId}/emojis', 'post').map(([type]) => type),
    ['multipart/form-data'],
  )
})

test('REF-1: the pages of /api/docs are there, and run only their own files', async () => {
  for (const path of ['/api/docs', '/api/docs/', '/api/docs/static/swagger-ui-bundle.js']) {
    const response = await server.fetch(path)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'self'; /)
    await response.body?.cancel()
  }
})

test('HTTP-1: the errors are those of docs/SPEC.md', () => {
  const [, section = ''] = specification.split('\n## Errors\n')
  const [table] = section.split('\n## ')
  const specified = table?.match(/^\| [a-z_]+ \|.*$/gm) ?? []
  const thrown = Object.entries(errors).map(
    ([code, { status, message }]) => `| ${code} | ${status} | ${message} |`,
  )
  assert.deepEqual(specified.toSorted(), thrown.toSorted())
})

test("OPS-3: the README's table of settings is the server's", () => {
  assert.ok(readme.includes(`\n${settingsTable()}\n`))
})
