import { english, type Language, languages } from './languages.ts'

const KEY = 'foyer.language'

/** The language chosen in this browser; null if the browser's languages decide. */
export function chosenLanguage(): string | null {
  return read(KEY)
}

/** Reloads the page, because most modules create their texts when they are loaded. */
export function chooseLanguage(code: string | null): void {
  if (code === null) window.localStorage.removeItem(KEY)
  else window.localStorage.setItem(KEY, code)
  window.location.reload()
}

export const CLOCK_KEY = 'foyer.clock'

/** The clock chosen in this browser, as a Unicode hour cycle (`h12` or `h23`); undefined if the language decides. */
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

/** Returns the locale for times with the chosen clock. If `clock` is undefined, the locale keeps its default. */
export function withClock(locale: string, clock: string | undefined): string {
  return clock === undefined ? locale : `${locale.split('-u-')[0]}-u-hc-${clock}`
}

export interface Spoken {
  language: Language
  /** Locale for times and numbers: the browser's regional variant of the language, such as de-AT. */
  locale: string
}

/**
 * @param chosen a language code
 * @param wanted the browser's languages in order of preference
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

/** On a system without a language, Chromium reports en-US@posix, which Intl rejects. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
