import { lazily } from '#src/language/formats.ts'
import { locale } from '#src/language/texts.ts'

/** Tags of BCP 47: what most people write in. */
const TAGS = [
  ...[
    'ar',
    'bg',
    'bn',
    'ca',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'es',
    'et',
    'fa',
    'fi',
    'fr',
    'he',
    'hi',
    'hr',
    'hu',
    'id',
  ],
  ...[
    'it',
    'ja',
    'ko',
    'lt',
    'lv',
    'ms',
    'nb',
    'nl',
    'pl',
    'pt',
    'pt-BR',
    'ro',
    'ru',
    'sk',
    'sl',
    'sr',
    'sv',
    'sw',
  ],
  ...['ta', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'zh-Hans', 'zh-Hant'],
]

const names = lazily(() => new Intl.DisplayNames(locale(), { type: 'language' }))
const byName = lazily(() => new Intl.Collator(locale()))

/**
 * Languages by what they are called in the reader's, in its order.
 * @param chosen is among them, whatever it is
 */
export function spaceLanguages(chosen: string): [tag: string, name: string][] {
  const tags = chosen === '' || TAGS.includes(chosen) ? TAGS : [...TAGS, chosen]
  return tags
    .map((tag): [string, string] => [tag, nameOf(tag)])
    .sort(([, one], [, other]) => byName().compare(one, other))
}

/** The server takes more tags than have names. */
function nameOf(tag: string): string {
  try {
    return names().of(tag) ?? tag
  } catch {
    return tag
  }
}
