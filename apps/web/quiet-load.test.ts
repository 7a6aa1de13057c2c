import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** Size of the filter's scripts, and of RNNoise. */
const MAX_GZIPPED_BYTES = { scripts: 5_000, library: 120_000 }
/** The filter, what loads it, and its worklet. */
const PARTS = ['filtered-microphone', 'load-filter', 'filter-worklet']

const dist = join(import.meta.dirname, 'dist')
const assets = readdirSync(join(dist, 'assets'))
const read = (name: string) => readFileSync(join(dist, 'assets', name))
const find = (pattern: RegExp) => assets.find((name) => pattern.test(name)) ?? String(pattern)

test('QUIET-5: the filter is small, and its library is compressed', () => {
  const scripts = PARTS.map((part) => find(new RegExp(`^${part}-[\\w-]+\\.js$`)))
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(read(name)).length, 0)
  assert.ok(bytes <= MAX_GZIPPED_BYTES.scripts, `${bytes} bytes of ${scripts.join(', ')}`)
  const library = find(/^rnnoise_simd-[\w-]+\.wasm$/)
  assert.ok(read(`${library}.gz`).length <= MAX_GZIPPED_BYTES.library)
  assert.ok(existsSync(join(dist, 'assets', `${library}.br`)))
})

test('QUIET-5: only first use loads it: no other script imports it at once, and the service worker does not fetch it ahead', () => {
  const scripts = assets.filter((name) => name.endsWith('.js'))
  for (const part of ['filtered-microphone', 'filter-worklet']) {
    const atOnce = new RegExp(`(?:from|import)\\s*["'\`]\\./${part}-`)
    const importers = scripts.filter((name) => atOnce.test(read(name).toString()))
    assert.deepEqual(importers, [], part)
  }
  const library = find(/\.wasm$/)
  const [, shell = ''] =
    /(\{[^{}]*large:\s*\[[^\]]*\][^{}]*\})/.exec(readFileSync(join(dist, 'worker.js'), 'utf8')) ?? []
  const [files = '', large = ''] = shell.split(/large:/)
  assert.ok(files.includes('.js') && !files.includes(library) && !files.includes('sound-frame'), 'not ahead')
  assert.ok(large.includes(library), 'after first use')
})
