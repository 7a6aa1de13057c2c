import { createRequire } from 'node:module'

const NAME = /:([a-z0-9_+'-]{1,64}):(?::skin-tone-([2-6]):)?/g
/** Of skin tone 2, the lightest. */
const FIRST_TONE = 0x1f3fb

const load = createRequire(import.meta.url)
let known: ReadonlyMap<string, string> | undefined

/** The text with Slack's `:names:` of emojis as emojis. Names that nobody knows stay. */
export function withEmojis(text: string): string {
  return text.includes(':') ? text.replace(NAME, emojiOf) : text
}

/** An emoji by the name that Slack has for it; undefined where it has none. */
export function emojiNamed(name: string): string | undefined {
  known ??= emojisByName()
  return known.get(name)
}

function emojiOf(whole: string, name: string, tone: string | undefined): string {
  const emoji = emojiNamed(name)
  if (emoji === undefined || tone === undefined) return emoji ?? whole
  return emoji.replace('\ufe0f', '') + String.fromCodePoint(FIRST_TONE + Number(tone) - 2)
}

/** Read when the first name is looked up: most servers never need it. */
function emojisByName(): Map<string, string> {
  const names: Readonly<Record<string, string | string[]>> = load('emojibase-data/en/shortcodes/iamcal.json')
  const entries = Object.entries(names).flatMap(([code, all]) =>
    [all].flat().map((name): [string, string] => [name, emojiOfCode(code)]),
  )
  return new Map(entries)
}

/** @param code hexadecimal code points with dashes between them */
function emojiOfCode(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}
