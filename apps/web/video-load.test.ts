import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** Size of all scripts of cameras and screens, which load with voice or on first use. */
const MAX_GZIPPED_BYTES = 45_000

const assets = join(import.meta.dirname, 'dist', 'assets')
const scripts = new Map(
  readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
)
const page = readFileSync(join(import.meta.dirname, 'dist', 'index.html'), 'utf8')
const [, start = ''] = /<script type="module"[^>]* src="\/assets\/([^"]+)"/.exec(page) ?? []
const STATIC = /(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g
const PARTS = [
  'open-voice',
  'video-of',
  'tile-picture',
  'stream-tile',
  'tile-buttons',
  'call-tools',
  'numbers',
  'picture-window-content',
  'video-note',
]

test('CAMERA-7: the scripts of video are within the limit, and none loads before a room is shown', () => {
  const entries = PARTS.map((part) => [...scripts.keys()].find((name) => name.startsWith(`${part}-`)) ?? part)
  for (const entry of entries) assert.ok(scripts.has(entry), `${entry} in ${[...scripts.keys()].join(', ')}`)
  const atOnce = reachable([start, ...fetched('open', 'pages', 'parser')])
  assert.ok([...atOnce].some((name) => name.startsWith('room-')))
  const own = [...reachable(entries)].filter((name) => !atOnce.has(name))
  assert.deepEqual(
    entries.filter((name) => atOnce.has(name)),
    [],
  )
  const bytes = own.reduce((sum, name) => sum + gzipSync(scripts.get(name) ?? '').length, 0)
  assert.ok(bytes <= MAX_GZIPPED_BYTES, `${bytes} bytes of ${own.join(', ')}`)
})

/** Returns the files that the page's script imports dynamically, by the starts of their names. */
function fetched(...names: string[]): string[] {
  const text = scripts.get(start) ?? ''
  return names.map((name) => new RegExp(`${name}-[\\w-]+\\.js`).exec(text)?.[0] ?? name)
}

/** Returns the scripts and those that they load at once. */
function reachable(from: readonly string[]): Set<string> {
  const found = new Set(from)
  for (const name of found) for (const imported of importsOf(name)) found.add(imported)
  return found
}

function importsOf(name: string): string[] {
  const imports = (scripts.get(name) ?? '').matchAll(STATIC)
  return [...imports].flatMap(([, imported]) => imported ?? [])
}
