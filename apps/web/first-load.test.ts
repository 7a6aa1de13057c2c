import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Size of all scripts that load before a room is shown. */
const MAX_GZIPPED_BYTES = 200_000

const dist = join(import.meta.dirname, 'dist')
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const [, script = ''] = /<script type="module"[^>]* src="\/assets\/([^"]+)"/.exec(page) ?? []
/** Returns the file that the page's script imports dynamically, by the start of its name. */
const fetched = (name: string) => new RegExp(`${name}-[\\w-]+\\.js`).exec(read(script))?.[0] ?? `no ${name}`

test('the scripts loaded before a room is shown are within the limit', () => {
  const scripts = withImports([script, fetched('open'), fetched('pages'), fetched('parser')])
  assert.ok(
    scripts.some((name) => name.startsWith('app-')) && scripts.some((name) => name.startsWith('room-')),
  )
  const bytes = scripts.reduce((sum, name) => sum + sizeOf(name), 0)
  assert.ok(bytes < MAX_GZIPPED_BYTES, `${bytes} bytes of ${scripts.join(', ')}`)
})

test('the sign-in page loads no code of rooms, and the popup library loads with the first popup', () => {
  assert.ok(!withImports([script, fetched('open')]).some((name) => name.startsWith('room-')))
  const scripts = withImports([script, fetched('open'), fetched('pages'), fetched('parser')])
  const isOfPopups = (name: string) => name.endsWith('.js') && read(name).includes('base-ui-portal')
  assert.ok(readdirSync(join(dist, 'assets')).some(isOfPopups))
  assert.deepEqual(scripts.filter(isOfPopups), [])
})

test('chunks needed by every room carry the compile hint', () => {
  for (const name of ['app', 'room']) {
    const [file = ''] = readdirSync(join(dist, 'assets')).filter((at) =>
      new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(at),
    )
    assert.match(read(file), /^\/\/# allFunctionsCalledOnLoad\n/)
  }
})

function withImports(names: readonly string[]): string[] {
  const found = new Set(names)
  for (const name of found) {
    for (const [, imported = ''] of read(name).matchAll(/(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g))
      found.add(imported)
  }
  return [...found]
}

/** Returns the size with gzip, if the file is compressed. */
function sizeOf(name: string): number {
  const path = join(dist, 'assets', name)
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
}

function read(name: string): string {
  return readFileSync(join(dist, 'assets', name), 'utf8')
}
