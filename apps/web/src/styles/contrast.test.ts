import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

const GROUNDS = ['backdrop', 'surface', 'sunken', 'raised', 'accent-soft', 'danger-soft']
const TEXTS = [
  'ink',
  'ink-soft',
  'ink-faint',
  'accent-text',
  'danger',
  'good',
  'code-comment',
  'code-keyword',
].concat(['code-string', 'code-number', 'code-title', 'code-variable'])

test('with more contrast all text has a ratio of at least 7:1 to its background', async () => {
  const tokens = await readFile(new URL('tokens.css', import.meta.url), 'utf8')
  const [, block = ''] = tokens.split(':root[data-contrast="more"] {')
  const colors = new Map(
    [...block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, ...pair]) => [
      name,
      pair,
    ]),
  )
  const pairs = GROUNDS.flatMap((ground) => TEXTS.map((text) => [text, ground] as const))
  pairs.push(['on-accent', 'accent'], ['on-accent', 'accent-hover'])
  for (const [text, ground] of pairs)
    for (const theme of [0, 1]) {
      const ratio = contrast(colors.get(text)?.[theme], colors.get(ground)?.[theme])
      assert.ok(ratio >= 7, `${text} on ${ground}, ${theme === 0 ? 'light' : 'dark'}: ${ratio.toFixed(2)}`)
    }
})

/** Contrast ratio as defined by WCAG 2.2. */
function contrast(one = '', other = ''): number {
  const [dark = 0, light = 0] = [lightOf(one), lightOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function lightOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
