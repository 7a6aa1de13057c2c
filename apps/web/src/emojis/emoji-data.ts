import { locale, t } from '#src/language/texts.ts'
/** The used fields of an emoji in emojibase. */
export interface EmojiRecord {
  readonly hexcode: string
  readonly unicode: string
  readonly label: string
  readonly group?: number
  readonly tags?: readonly string[]
  readonly skins?: readonly { readonly hexcode: string; readonly unicode: string }[]
}

export interface Emoji {
  readonly text: string
  readonly label: string
  readonly tags: readonly string[]
  /** Shortcodes, identical in all languages: joy, +1. */
  readonly names: readonly string[]
  /** Variants by skin tone, from light to dark. Empty if it has none. */
  readonly tones: readonly string[]
}

export interface EmojiGroup {
  readonly id: string
  readonly label: string
  readonly emojis: readonly Emoji[]
}

/** Groups of Unicode with their numbers in emojibase. Group 2, components, is left out. */
const GROUPS = [
  [0, 'smileys', t('Smileys & emotion')],
  [1, 'people', t('People & body')],
  [3, 'nature', t('Animals & nature')],
  [4, 'food', t('Food & drink')],
  [5, 'travel', t('Travel & places')],
  [6, 'activities', t('Activities')],
  [7, 'objects', t('Objects')],
  [8, 'symbols', t('Symbols')],
  [9, 'flags', t('Flags')],
] as const

const TONES = ['1F3FB', '1F3FC', '1F3FD', '1F3FE', '1F3FF']

/** Loads all Unicode emojis in their standard order: 615 kB (102 kB compressed), fetched on first use. */
export async function loadEmojiGroups(): Promise<EmojiGroup[]> {
  const load = records[locale().split('-')[0] ?? ''] ?? englishRecords
  const [all, names] = await Promise.all([load(), shortcodes()])
  return groupEmojis(all, names)
}

type Shortcodes = Readonly<Record<string, string | readonly string[]>>

const shortcodes = (): Promise<Shortcodes> =>
  import('emojibase-data/en/shortcodes/github.json', { with: { type: 'json' } }).then(
    (module) => module.default,
  )

const englishRecords = () =>
  import('emojibase-data/en/compact.json', { with: { type: 'json' } }).then((module) => module.default)

/** Labels in other languages. */
const records: Readonly<Record<string, () => Promise<readonly EmojiRecord[]>>> = {
  de: () =>
    import('emojibase-data/de/compact.json', { with: { type: 'json' } }).then((module) => module.default),
}

export function groupEmojis(records: readonly EmojiRecord[], names: Shortcodes = {}): EmojiGroup[] {
  return GROUPS.map(([number, id, label]) => ({
    id,
    label,
    emojis: records
      .filter(({ group }) => group === number)
      .map((record) => emojiOf(record, [names[record.hexcode] ?? []].flat())),
  }))
}

/** @param tone 0 for none, else 1 (light) to 5 (dark) */
export function withTone(emoji: Emoji, tone: number): string {
  return emoji.tones[tone - 1] ?? emoji.text
}

function emojiOf({ unicode, label, tags = [], skins = [] }: EmojiRecord, names: readonly string[]): Emoji {
  const tones = TONES.map((tone) => skins.find(({ hexcode }) => isAllIn(hexcode, tone))?.unicode)
  return { text: unicode, label, tags, names, tones: tones.filter((text) => text !== undefined) }
}

/** Returns true if the variant has only this skin tone. Emojis of two people also have variants with two different tones. */
function isAllIn(hexcode: string, tone: string): boolean {
  const tones = hexcode.split('-').filter((code) => TONES.includes(code))
  return tones.length > 0 && tones.every((other) => other === tone)
}
