import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Message } from '@foyer/protocol/messages'
import { connect } from '#test/gateway-client.ts'
import { installPackedSdk, type PackedProject } from '#test/processes/packed-project.ts'
import { commandBody, makeBotSpace } from '#test/scenes/interactions.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** Modules for Node only. All of them are reached from voice/node. */
const OF_NODE = [
  ...['voice/node', 'voice/bot-pictures', 'voice/bundled-sdp', 'voice/datachannel-driver'],
  ...['voice/native-ice-servers', 'voice/opus-sender', 'voice/picture-streams', 'voice/reception'],
  ...['voice/rtcp', 'voice/rtp', 'voice/vp8-payload', 'voice/vp8-receiver', 'voice/vp8-sender'],
]
const OF_BROWSERS = ['voice/voice', 'voice/browser-driver', 'voice/livekit-driver', 'voice/livekit-room']
const OF_BROWSERS_TOO = [
  ...[
    'voice/livekit-options',
    'voice/livekit-pictures',
    'voice/livekit-user',
    'voice/slots-driver',
    'voice/stream',
  ],
  ...[
    'voice/call-numbers',
    'voice/picture-exchange',
    'voice/picture-lines',
    'voice/picture-shape',
    'voice/pictures',
    'voice/own-flags',
    'voice/route',
  ],
]

let server: TestServer
let project: PackedProject
/** The first program of the SDK's README. */
let bot: string

before(async () => {
  server = await startTestServer()
  project = await installPackedSdk()
  const readme = await readFile(installed('sdk/README.md'), 'utf8')
  bot = /```ts\n(?<program>.*?)```/s.exec(readme)?.groups?.program ?? ''
  await writeFile(join(project.folder, 'bot.mjs'), bot)
})
after(async () => {
  await project?.remove()
  await server?.close()
})

function installed(path: string): string {
  return join(project.folder, 'node_modules/@foyer', path)
}

/** Returns code that imports every module of both packages except these. */
function importAll(left: readonly string[]): string {
  const paths = ['protocol', 'sdk'].flatMap((name) =>
    globSync('**/*.d.ts', { cwd: installed(`${name}/dist`) }).map((path) => `${name}/${path.slice(0, -5)}`),
  )
  const wanted = paths.filter((path) => !left.includes(path.replace('sdk/', '')))
  assert.ok(wanted.length > 100)
  return wanted.map((path, place) => `export * as m${place} from '@foyer/${path}'\n`).join('')
}

test('SDK-1 the packages contain JavaScript, types, maps, a README and the license, and no tests', async () => {
  for (const name of ['protocol', 'sdk']) {
    const files = globSync('**/*.*', { cwd: installed(name) }).concat(
      globSync('LICENSE', { cwd: installed(name) }),
    )
    for (const file of ['README.md', 'LICENSE', 'package.json']) assert.ok(files.includes(file), file)
    assert.deepEqual(
      files.filter((file) => /test/.test(file)),
      [],
    )
    const built = files.filter((file) => file.endsWith('.js'))
    for (const file of built) await checkBuilt(name, files, file.slice(0, -3))
    assert.equal(built.length, files.filter((file) => file.startsWith('src/')).length)
    const manifest = JSON.parse(await readFile(installed(`${name}/package.json`), 'utf8'))
    assert.deepEqual([manifest.private, manifest.scripts], [undefined, undefined])
  }
})

async function checkBuilt(name: string, files: string[], module: string): Promise<void> {
  for (const end of ['.d.ts', '.js.map', '.d.ts.map']) assert.ok(files.includes(module + end), module + end)
  const map = JSON.parse(await readFile(installed(`${name}/${module}.js.map`), 'utf8'))
  const source = join('dist', module.slice('dist/'.length), '..', map.sources[0])
  assert.ok(files.includes(source), source)
}

test('SDK-2 strict TypeScript checks every module, in Node and for bundlers, libraries included', async () => {
  const inNode = { module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'] }
  const files = { 'all.ts': importAll([...OF_BROWSERS, ...OF_BROWSERS_TOO]), 'bot.ts': bot }
  assert.equal(await project.check(files, inNode), '')
  const wrong = { 'wrong.ts': bot.replace('interaction.integer(', 'interaction.interger(') }
  assert.match(await project.check(wrong, inNode), /TS2551.*interger/)
  const bundled = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] }
  const page = { 'all.ts': importAll(OF_NODE) }
  assert.equal(await project.check(page, { ...bundled, lib: ['es2022', 'dom', 'dom.iterable'] }), '')
})

test('SDK-3 a bundle for a page contains nothing of Node', async () => {
  await writeFile(
    join(project.folder, 'page.mjs'),
    "export { Client } from '@foyer/sdk/client'\nexport { Voice } from '@foyer/sdk/voice/voice'\n",
  )
  const scripts = await project.bundle('page.mjs')
  assert.ok(scripts.some((script) => script.includes('new WebSocket') || script.includes('webSocketClass')))
  for (const script of scripts) {
    const imported = [...script.matchAll(/\b(?:from|import)\s*\(?["'](?<name>[^"']+)["']/g)]
    assert.deepEqual(
      imported.map(({ groups }) => groups?.name).filter((name) => !name?.startsWith('./')),
      [],
    )
    assert.ok(!script.includes('class WebSocketServer'))
  }
})

const withoutWebSocket = [process.execPath, '--no-experimental-websocket']
for (const [name, command] of Object.entries({
  'the pinned Node': [process.execPath],
  'a Node without WebSocket': withoutWebSocket,
  'the Node of npm': ['node'],
})) {
  test(`SDK-4 the bot of the README, with the packages installed, answers in ${name}`, async (t) => {
    const place = await makeBotSpace(server)
    const gateway = await connect(server, place.asker)
    t.after(() => gateway.close())
    const [program = '', ...flags] = command
    const child = spawn(program, [...flags, 'bot.mjs', server.url], {
      cwd: project.folder,
      env: { ...process.env, BOT_TOKEN: place.bot.token },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill())
    let complaints = ''
    child.stderr.on('data', (text) => {
      complaints += text
    })
    const failed = once(child, 'exit').then(() => Promise.reject(new Error(complaints)))
    failed.catch(() => undefined)
    const [first] = await Promise.race([once(child.stdout, 'data'), failed])
    assert.equal(String(first), 'the dice are ready\n')
    await place.asker.client.interactions.create(
      await commandBody(place, 'roll', [{ name: 'sides', value: 1000 }]),
    )
    const { d } = await Promise.race([gateway.findEvent('MESSAGE_CREATE'), failed])
    const message: Message = JSON.parse(JSON.stringify(d))
    assert.match(message.content, /^🎲 [1-9]\d{0,3}$/)
    assert.equal(complaints, '')
  })
}

test('SDK-5 CommonJS can require the packages', async () => {
  const program = "process.stdout.write(typeof require('@foyer/sdk/bot').Bot)"
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: project.folder })
  assert.equal(stdout, 'function')
})
