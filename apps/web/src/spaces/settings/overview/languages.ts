import { lazily } from '#src/language/formats.ts'
import { locale } from '#src/language/texts.ts'

/** BCP 47 tags of widely used languages. */
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
 * Languages with their names in the user's language, sorted by name.
 * @param chosen always included
 */
export function spaceLanguages(chosen: string): [tag: string, name: string][] {
  const tags = chosen === '' || TAGS.includes(chosen) ? TAGS : [...TAGS, chosen]
  return tags
    .map((tag): [string, string] => [tag, languageName(tag)])
    .sort(([, one], [, other]) => byName().compare(one, other))
}

/** Falls back to the tag: the server accepts tags that have no name. */
export function languageName(tag: string): string {
  try {
    return names().of(tag) ?? tag
  } catch {
    return tag
  }
}
