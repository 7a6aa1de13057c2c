import { createRequire } from 'node:module'

const NAME = /:([a-z0-9_+'-]{1,64}):(?::skin-tone-([2-6]):)?/g
/** Code point of skin tone 2, the lightest. */
const FIRST_TONE = 0x1f3fb

const load = createRequire(import.meta.url)
let known: ReadonlyMap<string, string> | undefined

/** Replaces Slack's `:names:` with emojis. Unknown names stay. */
export function withEmojis(text: string): string {
  return text.includes(':') ? text.replace(NAME, emojiOf) : text
}

/** Returns the emoji with this Slack name; undefined for an unknown name. */
export function emojiNamed(name: string): string | undefined {
  known ??= emojisByName()
  return known.get(name)
}

function emojiOf(whole: string, name: string, tone: string | undefined): string {
  const emoji = emojiNamed(name)
  if (emoji === undefined || tone === undefined) return emoji ?? whole
  return emoji.replace('\ufe0f', '') + String.fromCodePoint(FIRST_TONE + Number(tone) - 2)
}

/** Loads the emojis by name, on first use: most servers never need them. */
function emojisByName(): Map<string, string> {
  const names: Readonly<Record<string, string | string[]>> = load('emojibase-data/en/shortcodes/iamcal.json')
  const entries = Object.entries(names).flatMap(([code, all]) =>
    [all].flat().map((name): [string, string] => [name, emojiOfCode(code)]),
  )
  return new Map(entries)
}

/** @param code hexadecimal code points separated by dashes */
function emojiOfCode(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}
