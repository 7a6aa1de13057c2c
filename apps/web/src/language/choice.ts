import { english, type Language, languages } from './languages.ts'

const KEY = 'foyer.language'

/** The language that was chosen in this browser; none where the browser's own decide. */
export function chosenLanguage(): string | null {
  return read(KEY)
}

/** The texts of most modules are made when they are loaded: the page is loaded anew. */
export function chooseLanguage(code: string | null): void {
  if (code === null) window.localStorage.removeItem(KEY)
  else window.localStorage.setItem(KEY, code)
  window.location.reload()
}

export const CLOCK_KEY = 'foyer.clock'

/** The clock that was chosen in this browser, by its name in Unicode; none where the language decides. */
export function chosenClock(): string | undefined {
  return ['h12', 'h23'].find((clock) => clock === read(CLOCK_KEY))
}

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

/** What times are written by, with another clock than is usual there. */
export function withClock(locale: string, clock: string | undefined): string {
  return clock === undefined ? locale : `${locale.split('-u-')[0]}-u-hc-${clock}`
}

export interface Spoken {
  language: Language
  /** What times and numbers are written by: the browser's kind of the language, as de-AT. */
  locale: string
}

/**
 * @param chosen a language's code
 * @param wanted the browser's languages, the dearest first
 */
export function spokenLanguage(chosen: string | null, wanted: readonly string[]): Spoken {
  const own = languageOf(chosen ?? '')
  const locale = wanted.find((tag) => {
    const language = languageOf(tag)
    return language !== undefined && (own === undefined || own === language)
  })
  const language = own ?? languageOf(locale ?? '') ?? english
  return { language, locale: locale ?? language.code }
}

function languageOf(tag: string): Language | undefined {
  const [code] = tag.toLowerCase().split('-')
  return isTag(tag) ? languages.find((language) => language.code === code) : undefined
}

/** Where a system has no language, Chromium says en-US@posix, which Intl refuses. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
