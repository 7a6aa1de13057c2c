import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { newId } from '../apps/server/src/kernel/ids.ts'
import { startTestServer, type TestServer } from '../apps/server/test/server.ts'
import { GENERATED, saveDocument } from './document.ts'
import { runTool } from './tool.ts'

/** Results of a generated client's calls to a server; see `uses`. */
interface Story {
  content: string
  files: string[]
  refused: { status: number; code: string | null; error: string }
}

let server: TestServer
before(async () => {
  server = await startTestServer()
  const document = await saveDocument(server, 'clients')
  const made = await Promise.all([
    runTool('openapi-typescript', 'bin/cli.js', [document, '-o', `${GENERATED}/clients/schema.ts`]),
    runTool('@hey-api/openapi-ts', 'bin/run.js', [
      '-i',
      document,
      '-o',
      `${GENERATED}/clients/hey`,
      '--no-log-file',
    ]),
  ])
  for (const { code, output } of made) assert.equal(code, 0, output)
})
after(() => server.close())

test('REF-7: clients that openapi-typescript and Hey API make of it compile, and so does their use', async () => {
  const { code, output } = await runTool('typescript', 'bin/tsc', ['-p', 'tsconfig.json'])
  assert.equal(code, 0, output)
})

for (const [name, sent] of [
  ['openapi-fetch', ['one.txt', 'two.txt']],
  ['hey-api', ['sun']],
] as const)
  test(`REF-7: ${name} signs up, sends a message and files, and reads errors`, async () => {
    const { run }: { run(baseUrl: string, username: string): Promise<Story> } = await import(
      await bundled(name)
    )
    const { content, files, refused } = await run(server.url, `u${newId().slice(-12)}`)
    assert.equal(content, 'hello')
    assert.deepEqual(files, sent)
    assert.deepEqual(refused, { status: 404, code: 'unknown_room', error: 'room not found' })
  })

/** Bundles the generated files, which import each other in ways that only bundlers know. */
async function bundled(name: string): Promise<string> {
  const file = `${GENERATED}/clients/${name}.js`
  const input = new URL(`uses/${name}.mts`, import.meta.url).pathname
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  return pathToFileURL(file).href
}
