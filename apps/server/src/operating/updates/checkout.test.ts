import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { bringBackCode, checkCode, findCommit } from './checkout.ts'

let root: string
let earlier: string
let later: string
before(() => {
  root = mkdtempSync(join(tmpdir(), 'foyer-checkout-'))
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', root])
  earlier = commit('earlier')
  later = commit('later')
})
after(() => rmSync(root, { recursive: true }))

test('ROLLBACK-6: a clean checkout is put at the commit of the earlier version', async () => {
  assert.equal(await findCommit(root), later)
  const plan = await checkCode(root, { version: '1.0.0', commit: earlier })
  const says = await bringBackCode(root, plan)
  assert.equal(
    says,
    `The checkout is at version 1.0.0 (commit ${earlier.slice(0, 12)}): run npm ci, then npm start. git switch returns to your branch.`,
  )
  assert.equal(await findCommit(root), earlier)
  assert.equal(readFileSync(join(root, 'file'), 'utf8'), 'earlier')
  git('switch', '--quiet', 'main')
})

test('ROLLBACK-6: a checkout with changes, an unknown commit, and a folder that is none are left as they are', async () => {
  writeFileSync(join(root, 'file'), 'my own')
  const changed = await checkCode(root, { version: '1.0.0', commit: earlier })
  assert.match(
    await bringBackCode(root, changed),
    /^Install version 1\.0\.0 .*: the checkout has changes of its own\.$/,
  )
  assert.equal(readFileSync(join(root, 'file'), 'utf8'), 'my own')
  writeFileSync(join(root, 'file'), 'later')
  const unknown = await checkCode(root, { version: '1.0.0', commit: '0'.repeat(40) })
  assert.match(
    await bringBackCode(root, unknown),
    /^Install version 1\.0\.0 \(commit 0{12}\) before you start the server: Command failed: git/,
  )
  assert.equal(await findCommit(root), later)
  assert.equal(await findCommit(tmpdir()), null)
  const nowhere = await checkCode(tmpdir(), { version: '1.0.0', commit: earlier })
  assert.match(
    await bringBackCode(tmpdir(), nowhere),
    /^Install version 1\.0\.0 \(commit \w{12}\) before you start the server\.$/,
  )
})

function commit(text: string): string {
  writeFileSync(join(root, 'file'), text)
  const who = ['-c', 'user.name=Mira', '-c', 'user.email=mira@example.org', '-c', 'commit.gpgsign=false']
  git('add', '--all')
  git(...who, 'commit', '--quiet', '--message', text)
  return git('rev-parse', 'HEAD').trim()
}

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' })
}
