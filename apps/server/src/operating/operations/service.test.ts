import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'

const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined
/** Skipped only without CI. */
const skip = isMissing && process.env.CI !== 'true' && 'systemd-analyze is not installed (Debian: systemd)'

const root = resolve(import.meta.dirname, '../../../../..')
const folder = mkdtempSync(join(tmpdir(), 'foyer-unit-'))
after(() => rmSync(folder, { recursive: true }))

/** Exposure that the analysis may find, in tenths: 0 for none, 100 for a service without any limits. */
const MAX_EXPOSURE = 20

function analyze(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

/** Copies the unit, with the program of this checkout. */
function copyUnit(change: (unit: string) => string = (unit) => unit): string {
  const unit = readFileSync(join(root, 'deploy/foyer.service'), 'utf8')
  const path = join(folder, 'foyer.service')
  writeFileSync(path, change(unit.replace('/opt/foyer', root)))
  return path
}

test('OPS-8: systemd understands every line of the unit', { skip }, () => {
  assert.deepEqual(analyze('verify', copyUnit()), { status: 0, said: '' })
  const wrong = analyze(
    'verify',
    copyUnit((unit) => unit.replace('ProtectHome=', 'ProtectHouse=')),
  )
  assert.match(wrong.said, /ProtectHouse/)
})

test('OPS-8: the socket of PostgreSQL is in a folder that commands can see', () => {
  const unit = readFileSync(join(root, 'deploy/foyer.service'), 'utf8')
  const [, name] = /^RuntimeDirectory=(.+)$/m.exec(unit) ?? []
  const [, temporary] = /^Environment=.*\bTMPDIR=(\S+)/m.exec(unit) ?? []
  assert.equal(temporary, `/run/${name}`)
})

test('OPS-8: the unit leaves the service little of the machine', { skip }, () => {
  const exposure = (path: string) =>
    analyze('security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, path)
  const { status, said } = exposure(copyUnit())
  assert.equal(status, 0, said)
  const open = copyUnit((unit) => unit.replaceAll(/^(Protect|Restrict|SystemCall).*$/gm, ''))
  assert.notEqual(exposure(open).status, 0)
})
