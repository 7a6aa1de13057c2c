import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { listChangedBaseline, listChangedSince, MIGRATIONS, withoutHistory } from './frozen.ts'

const root = join(import.meta.dirname, '../..')

suite('landed migrations', () => {
  test('DATA-19: those up to 0017 are unchanged', () => {
    assert.deepEqual(listChangedBaseline(root), [])
  })

  test('DATA-19: later ones are as first committed', { skip: withoutHistory(root) }, () => {
    assert.deepEqual(listChangedSince(root), [])
  })
})

suite('a changed migration', () => {
  let copy: string
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'foyer-frozen-'))
    cpSync(join(root, MIGRATIONS), join(copy, MIGRATIONS), { recursive: true })
    commit('--initial-branch=main')
    write('0090-a-new-one.sql', 'select 1;\n')
    write('0091-another.sql', 'select 1;\n')
    commit()
  })
  after(() => rmSync(copy, { recursive: true }))

  test('DATA-19: is found in the baseline', () => {
    assert.deepEqual(listChangedBaseline(copy), [])
    write('0003-files.sql', 'select 1;\n')
    assert.deepEqual(listChangedBaseline(copy), ['0003-files.sql'])
  })

  test('DATA-19: is found after it, committed or not, and so is a missing one', () => {
    assert.deepEqual(listChangedSince(copy), [])
    write('0090-a-new-one.sql', 'select 2;\n')
    assert.deepEqual(listChangedSince(copy), ['0090-a-new-one.sql'])
    rmSync(join(copy, MIGRATIONS, '0091-another.sql'))
    commit()
    assert.deepEqual(listChangedSince(copy), ['0090-a-new-one.sql', '0091-another.sql'])
  })

  test('DATA-19: is not searched for in a truncated history, and a message says so', () => {
    const shallow = join(copy, 'shallow')
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${copy}`, shallow], { stdio: 'ignore' })
    assert.match(String(withoutHistory(shallow)), /this clone is shallow/)
    assert.match(String(withoutHistory(tmpdir())), /there is no git history/)
    assert.equal(withoutHistory(copy), false)
  })

  function write(name: string, text: string): void {
    writeFileSync(join(copy, MIGRATIONS, name), text)
  }

  function commit(...ofInit: string[]): void {
    const who = ['-c', 'user.name=Mira', '-c', 'user.email=mira@example.org', '-c', 'commit.gpgsign=false']
    if (ofInit.length > 0) execFileSync('git', ['init', '--quiet', ...ofInit, copy])
    execFileSync('git', ['-C', copy, 'add', '--all'])
    execFileSync('git', ['-C', copy, ...who, 'commit', '--quiet', '--message', 'a step'])
  }
})
