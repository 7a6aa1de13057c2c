import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import SwaggerParser from '@apidevtools/swagger-parser'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { startTestServer, type TestServer } from '../apps/server/test/server.ts'
import { saveDocument } from './document.ts'
import { runTool } from './tool.ts'

/** Spectral's severity of an error. */
const ERROR = 0

let server: TestServer
let path: string
/** The document with a planted mistake, to prove that each tool finds it. */
let broken: string
before(async () => {
  server = await startTestServer()
  path = await saveDocument(server, 'lint')
  const document = JSON.parse(await readFile(path, 'utf8'))
  document.paths['/api/health'].get.responses = { 200: { content: 'none' } }
  broken = path.replace('.json', '.broken.json')
  await writeFile(broken, JSON.stringify(document))
})
after(() => server.close())

test('REF-6: Redocly finds no error, and no example that violates its schema', async () => {
  const rules = ['--extends=recommended', '--max-problems=20', '--format=stylish']
  const { code, output } = await lint(path, rules)
  assert.equal(code, 0, output)
  assert.doesNotMatch(output, /no-invalid-(schema|media-type)-examples/)
  assert.equal((await lint(broken, rules)).code, 1)
})

function lint(document: string, rules: readonly string[]) {
  return runTool('@redocly/cli', 'bin/cli.js', ['lint', document, ...rules])
}

test('REF-6: Spectral finds no error in its OpenAPI rules', async () => {
  assert.deepEqual(await spectralErrors(path), [])
  assert.notDeepEqual(await spectralErrors(broken), [])
})

async function spectralErrors(document: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [], ...rulesets.oas })
  const found = await linter.run(await readFile(document, 'utf8'))
  return found
    .filter(({ severity }) => severity === ERROR)
    .map((problem) => `${problem.path.join('.')}: ${problem.message}`)
}

test('REF-6: swagger-parser parses and validates it', async () => {
  const api = await SwaggerParser.validate(path)
  assert.ok(Object.keys(api.paths ?? {}).length > 100)
  await assert.rejects(SwaggerParser.validate(broken))
})
