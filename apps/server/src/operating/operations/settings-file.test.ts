import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url))
const COMMANDS = ['start', 'dev', 'doctor', 'operator', 'backup', 'restore', 'rollback']

/** A checkout that has only the script. */
let checkout: string

before(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'foyer-settings-'))
  await mkdir(join(checkout, 'bin'))
  await copyFile(join(ROOT, 'bin/with-settings'), join(checkout, 'bin/with-settings'))
})
after(() => rm(checkout, { recursive: true }))

function run(environment: Record<string, string>): string {
  const command = ['-c', 'echo "$PUBLIC_URL|$BACKUP_PASSPHRASE|$PORT"']
  return execFileSync(join(checkout, 'bin/with-settings'), ['sh', ...command], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    encoding: 'utf8',
  }).trim()
}

test('OPS-10: settings of foyer.env are read, quotes and comments as in a shell, and the environment wins', async () => {
  assert.equal(run({ PORT: '1' }), '||1')
  const lines = [
    '# For others',
    'PUBLIC_URL=https://chat.example.org',
    "BACKUP_PASSPHRASE='two $HOME words'",
    'PORT=2',
  ]
  await writeFile(join(checkout, 'foyer.env'), lines.join('\n'))
  assert.equal(run({}), 'https://chat.example.org|two $HOME words|2')
  assert.equal(run({ PORT: '1', PUBLIC_URL: '' }), '|two $HOME words|1')
})

test('OPS-10: a value that a shell would cut off or run is refused, with its line', async () => {
  const unfit = [
    'DATABASE_URL=postgres://u:p@h/foyer?sslmode=verify-full&application_name=x',
    'SMTP_URL=smtp://u:pa$word@h',
    'BACKUP_TO=/mnt/my disk',
    'MAIL_FROM = foyer@example.org',
    'PORT=`id`',
    'PORT=2\r',
    "BACKUP_PASSPHRASE='never closed",
  ]
  for (const line of unfit) {
    await writeFile(join(checkout, 'foyer.env'), `# For others\nHOST=0.0.0.0\n${line}\n`)
    assert.throws(() => run({}), /in line 3/, line)
  }
  await writeFile(join(checkout, 'foyer.env'), "PUBLIC_URL='https://a.example?x&y' # ours\nPORT=[::1]\n")
  assert.equal(run({}), 'https://a.example?x&y||[::1]')
})

test('OPS-10: the commands of npm read the file', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  for (const command of COMMANDS) assert.equal(scripts[command], `exec bin/with-settings bin/${command}`)
})
