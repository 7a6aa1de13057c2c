import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
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
const LABELS = [
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-unread', 'unread'],
  ['on-unread', 'chosen'],
  ['on-mention', 'mention-fill'],
] as const
/** Lines and shapes that carry a meaning. */
const MARKS = ['accent', 'focus', 'chosen', 'unread', 'danger', 'line-strong']
/** Roles that must not look like each other. The others have no hue. */
const ROLES = ['accent', 'focus', 'mention-bar', 'danger', 'good']
/** In degrees. */
const MIN_HUE_DISTANCE = 20
const THEMES = ['light', 'dark'] as const

type Colors = ReadonlyMap<string, readonly string[]>

const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const [usual = '', more = ''] = tokens.split(':root[data-contrast="more"] {')
const usualColors = colorsIn(usual)
/** Colors that the high-contrast theme leaves out stay as they are. */
const moreColors = new Map([...usualColors, ...colorsIn(more)])

test('WEB-20: text has a ratio of at least 4.5:1 to its background, with more contrast 7:1', () => {
  const pairs = [...GROUNDS.flatMap((ground) => TEXTS.map((text) => [text, ground] as const)), ...LABELS]
  for (const pair of pairs) {
    holdRatio(usualColors, pair, 4.5)
    holdRatio(moreColors, pair, 7)
  }
})

test('WEB-20: focus, selection, unread marks and errors have a ratio of at least 3:1 to what is around them', () => {
  const grounds = ['backdrop', 'surface', 'sunken', 'raised']
  for (const pair of grounds.flatMap((ground) => MARKS.map((mark) => [mark, ground] as const))) {
    holdRatio(usualColors, pair, 3)
    holdRatio(moreColors, pair, 3)
  }
})

test('WEB-20: errors, focus, mentions and the brand have hues of their own', () => {
  const pairs = ROLES.flatMap((one, index) => ROLES.slice(0, index).map((other) => [one, other] as const))
  for (const pair of pairs) {
    holdHues(usualColors, pair)
    holdHues(moreColors, pair)
  }
})

test('WEB-20: the focus has one color wherever it is drawn', async () => {
  const root = new URL('..', import.meta.url).pathname
  let rings = 0
  for await (const path of glob('**/*.css', { cwd: root }))
    for (const color of focusColorsIn(await readFile(root + path, 'utf8'))) {
      rings += 1
      assert.match(color, /--(focus|ink|ink-faint|on-unread)\b/, path)
    }
  assert.ok(rings > 10)
})

function colorsIn(block: string): Colors {
  const found = block.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)
  return new Map([...found].map(([, name = '', ...pair]) => [name, pair]))
}

function holdRatio(colors: Colors, [one, other]: readonly [string, string], least: number): void {
  for (const [theme, name] of THEMES.entries()) {
    const ratio = contrast(colors.get(one)?.[theme], colors.get(other)?.[theme])
    assert.ok(ratio >= least, `${one} on ${other}, ${name}: ${ratio.toFixed(2)}, not ${least}`)
  }
}

function holdHues(colors: Colors, [one, other]: readonly [string, string]): void {
  for (const [theme, name] of THEMES.entries()) {
    const distance = hueDistance(colors.get(one)?.[theme], colors.get(other)?.[theme])
    assert.ok(distance >= MIN_HUE_DISTANCE, `${one} and ${other}, ${name}: ${distance.toFixed(0)}°`)
  }
}

/** Returns the border and outline colors of rules for the focus. The selector is the last statement before a brace. */
function focusColorsIn(css: string): string[] {
  const blocks = css.split('{')
  return blocks.flatMap((block, index) => {
    const selector = blocks[index - 1]?.split(/[;}]/).at(-1) ?? ''
    if (!selector.includes(':focus')) return []
    const declarations = (block.split('}')[0] ?? '').split(';')
    return declarations.filter((line) => /(border-color|outline): .*var\(/.test(line))
  })
}

/** Contrast ratio as defined by WCAG 2.2. */
function contrast(one = '', other = ''): number {
  const [dark = 0, light = 0] = [lightOf(one), lightOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function lightOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function hueDistance(one = '', other = ''): number {
  const difference = Math.abs(hueOf(one) - hueOf(other))
  return Math.min(difference, 360 - difference)
}

/** The hue of HSL, in degrees. */
function hueOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color)
  return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
}
