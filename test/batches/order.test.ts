import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { orderByCommit } from './order.ts'

const OLD_COMMITS = 40
const files = Array.from({ length: 20 }, (_, index) => `file-${index}.test.ts`)
const root = mkdtempSync(join(tmpdir(), 'foyer-order-'))

before(() => {
  git('init', '--quiet')
  for (const file of files) writeFileSync(join(root, file), '')
  commit()
  for (let count = 0; count < OLD_COMMITS; count += 1) commit()
})
after(() => rmSync(root, { recursive: true }))

test('each commit gives another order of all files', () => {
  const first = orderByCommit(root, files)
  assert.deepEqual(orderByCommit(root, files.toReversed()), first)
  commit()
  const second = orderByCommit(root, files)
  assert.notDeepEqual(second, first)
  assert.deepEqual(second.toSorted(), files.toSorted())
})

test('files that the last commits changed come first', () => {
  writeFileSync(join(root, 'file-7.test.ts'), 'changed')
  commit()
  assert.equal(orderByCommit(root, files)[0], 'file-7.test.ts')
})

test('outside of a repository, all files are there', () => {
  assert.deepEqual(orderByCommit('/', files).toSorted(), files.toSorted())
})

function commit(): void {
  const author = ['-c', 'user.name=Mira', '-c', 'user.email=mira@example.org', '-c', 'commit.gpgsign=false']
  git('add', '--all')
  git(...author, 'commit', '--quiet', '--allow-empty', '--message=A change')
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: root, stdio: 'ignore' })
}
