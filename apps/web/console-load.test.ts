import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** Size of all scripts of the console, which nobody but operators loads. */
const MAX_GZIPPED_BYTES = 40_000

const assets = join(import.meta.dirname, 'dist', 'assets')
const scripts = new Map(
  readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
)
const page = readFileSync(join(import.meta.dirname, 'dist', 'index.html'), 'utf8')
const [, start = ''] = /<script type="module"[^>]* src="\/assets\/([^"]+)"/.exec(page) ?? []

test('CONSOLE-8: the scripts of the console are within the limit, and each section is one of its own', () => {
  const [entry = ''] = [...scripts.keys()].filter((name) => name.startsWith('operator-console-'))
  const others = reachable(start, entry)
  const own = [...reachable(start, '')].filter((name) => !others.has(name))
  for (const section of [
    'operator-console',
    'overview-section',
    'storage-section',
    'jobs-section',
    'log-section',
  ])
    assert.ok(
      own.some((name) => name.startsWith(`${section}-`)),
      `${section} in ${own.join(', ')}`,
    )
  const bytes = own.reduce((sum, name) => sum + gzipSync(scripts.get(name) ?? '').length, 0)
  assert.ok(bytes <= MAX_GZIPPED_BYTES, `${bytes} bytes of ${own.join(', ')}`)
})

/** Returns the scripts that a script loads, at once or later, without going through another one. */
function reachable(from: string, without: string): Set<string> {
  const found = new Set([from])
  for (const name of found) {
    const text = scripts.get(name) ?? ''
    const imports = text.matchAll(/(?:from|import)\s*\(?\s*["'`]\.\/([\w-]+\.js)["'`]/g)
    for (const [, imported = without] of imports) found.add(imported)
    found.delete(without)
  }
  return found
}
