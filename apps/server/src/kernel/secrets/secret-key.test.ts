import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { cloneDatabase, urlOf } from '#test/database.ts'
import { runProgram } from '#test/processes/program.ts'
import { keptSecretKey } from './secret-key.ts'

let dataDir: string
let path: string

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'foyer-key-')), 'data')
  path = join(dataDir, 'secret.key')
})
afterEach(() => rm(join(dataDir, '..'), { recursive: true, force: true }))

test('DATA-16: simultaneous starts agree on one key, which only its owner can read, and the next start has it', async () => {
  const keys = new Set(await Promise.all(Array.from({ length: 20 }, () => keptSecretKey(dataDir))))
  assert.equal(keys.size, 1)
  assert.deepEqual([...keys], [await keptSecretKey(dataDir)])
  assert.match([...keys][0] ?? '', /^[\w-]{43}$/)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(dataDir), ['secret.key'])
})

test('DATA-17: a stored key that is empty or short is refused, and stays as it is', async () => {
  await mkdir(dataDir)
  for (const damaged of ['', '\n', 'x', 'k'.repeat(31)]) {
    await writeFile(path, damaged)
    await assert.rejects(keptSecretKey(dataDir), /secret\.key is damaged: .*Restore this file from a backup/)
    assert.equal(await readFile(path, 'utf8'), damaged)
  }
  await writeFile(path, `${'k'.repeat(32)}\n`)
  assert.equal(await keptSecretKey(dataDir), 'k'.repeat(32))
})

test('DATA-17: the server does not start with an empty key, and says what to do', async () => {
  await mkdir(dataDir)
  await writeFile(path, '')
  const database = await cloneDatabase()
  try {
    const { code, text } = await runProgram({ DATA_DIR: dataDir, DATABASE_URL: urlOf(database) })
    assert.equal(code, 1)
    assert.equal(
      text.trim(),
      `Foyer could not start: ${path} is damaged: it holds 0 characters, and a key has at least 32. Restore this file from a ` +
        'backup of DATA_DIR. Without a backup, delete the file, and the next start makes a new key: then everyone has to log ' +
        'in again, links in mails and links to files that were handed out stop working, browsers subscribe to pushes again, ' +
        "and the secret keys of spaces' storage buckets have to be entered again.",
    )
  } finally {
    await database.drop()
  }
})
