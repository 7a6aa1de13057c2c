import type { Catalogue } from './texts.ts'

export interface Language {
  /** As in BCP 47. */
  code: string
  /** In itself. */
  name: string
  dir: 'ltr' | 'rtl'
  /** None where the texts of the source are those of the language. */
  load?: () => Promise<Catalogue>
}

export const english: Language = { code: 'en', name: 'English', dir: 'ltr' }

/** All that Foyer speaks, each in a chunk of its own. */
export const languages: readonly Language[] = [
  english,
  {
    code: 'de',
    name: 'Deutsch',
    dir: 'ltr',
    load: () => import('./de.json', { with: { type: 'json' } }).then((module) => module.default),
  },
]
