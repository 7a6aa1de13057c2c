import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePowerCutDisk, withoutPowerCuts } from '#test/postgres/power-cut-disk.ts'
import { type Program, startProgram } from '#test/processes/program.ts'

const PERSON = { username: 'mira', email: 'mira@example.org', password: 'correct horse battery' }

test('DATA-16, MAIL-4: the key, the sessions and the mails survive a power cut right after the first start', {
  skip: withoutPowerCuts,
}, async () => {
  const disk = makePowerCutDisk()
  const dataDir = join(disk.folder, 'data')
  const programs: Program[] = []
  const start = async () => {
    const program = await startProgram({ DATA_DIR: dataDir })
    programs.push(program)
    return program
  }
  try {
    const before = await start()
    const headers = await signIn(before.url)
    const asked = await fetch(`${before.url}/api/auth/verify/send`, { method: 'POST', headers })
    assert.equal(asked.status, 204)
    await before.logged('in mailbox/')
    const key = await readFile(join(dataDir, 'secret.key'), 'utf8')

    disk.cutPower()
    await before.kill()

    const after = await start()
    assert.equal(await readFile(join(dataDir, 'secret.key'), 'utf8'), key)
    const answer = await fetch(`${after.url}/api/users/@me`, { headers })
    assert.equal(answer.status, 200)
    const [mail = ''] = await readdir(join(dataDir, 'mailbox'))
    assert.match(await readFile(join(dataDir, 'mailbox', mail), 'utf8'), /To: mira@example\.org.*token=/s)
    assert.equal(await after.stop(), 0)
  } finally {
    await Promise.all(programs.map((program) => program.kill()))
    disk.remove()
  }
})

/** @returns what requests of the new account carry */
async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(PERSON),
  })
  const { access_token, session_token } = await answer.json()
  return { authorization: `Bearer ${access_token}`, 'x-session-token': session_token }
}
