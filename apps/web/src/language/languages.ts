import type { Catalogue } from './texts.ts'

export interface Language {
  /** BCP 47 tag. */
  code: string
  /** Name in the language itself. */
  name: string
  dir: 'ltr' | 'rtl'
  /** Loads the translations. Undefined for English, the language of the texts in the source. */
  load?: () => Promise<Catalogue>
}

export const english: Language = { code: 'en', name: 'English', dir: 'ltr' }

/** All languages of the client. Each catalogue is a chunk of its own. */
export const languages: readonly Language[] = [
  english,
  {
    code: 'de',
    name: 'Deutsch',
    dir: 'ltr',
    load: () => import('./de.json', { with: { type: 'json' } }).then((module) => module.default),
  },
]
