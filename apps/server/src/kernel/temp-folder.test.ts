import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestServer } from '#test/server.ts'
import { home } from './process-namespace.ts'
import { TempFolder } from './temp-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'foyer-temp-'))
})
after(() => rm(root, { recursive: true, force: true }))

/** Starts another process that has a file in the folder. */
async function otherProcess() {
  const code = `
    const { TempFolder } = await import(${JSON.stringify(new URL('./temp-folder.ts', import.meta.url).href)})
    const folder = await new TempFolder(${JSON.stringify(root)}).create()
    await (await import('node:fs/promises')).writeFile(folder + '/file', 'x')
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return {
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('FORM-4: files of a killed process are deleted at the next start, and those of a running one stay', async () => {
  const other = await otherProcess()
  const own = new TempFolder(root)
  await own.create()
  await own.sweep()
  assert.equal((await readdir(root)).length, 2)
  await other.kill()
  await own.sweep()
  assert.equal((await readdir(root)).length, 1)
  await own.close()
  assert.deepEqual(await readdir(root), [])
})

test('FORM-4: files of an earlier process with the same id are deleted, too, as in a container', async () => {
  await mkdir(join(root, `${home},${process.pid},x`))
  const beside = new TempFolder(root)
  await beside.create()
  await new TempFolder(root).sweep()
  assert.equal((await readdir(root)).length, 1)
  await beside.close()
  assert.deepEqual(await readdir(root), [])
})

test('FORM-4: files of a server on another machine, or in another container, are deleted after a day', async () => {
  for (const [host, ageMs] of [
    ['young', 0],
    ['old', 2 * DAY_MS],
    // Another container of this host: there may be a process of ours with the number, or none.
    [`${home}0`, 0],
  ] as const) {
    const path = join(root, `${host},1,x`)
    await mkdir(path)
    await writeFile(join(path, 'file'), 'x')
    await utimes(path, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs))
  }
  await new TempFolder(root).sweep()
  assert.deepEqual((await readdir(root)).sort(), [`${home}0,1,x`, 'young,1,x'].sort())
})

test('FORM-4: a server empties the folder when it starts, and removes its own files when it stops', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-temp-'))
  const left = join(dataDir, 'tmp', `${home},${process.pid},x`, 'form')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, '0'), 'x')
  const server = await startTestServer({ dataDir })
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), [])
  const folder = await server.deps.tempFolder.create()
  assert.ok(folder.startsWith(join(dataDir, 'tmp')))
  await server.close()
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), [])
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})
