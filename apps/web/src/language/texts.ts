/** A text in another language. With a count, one text per plural category. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Translations by English text, and by `error.` and the code for server errors. */
export type Catalogue = Readonly<Record<string, Translation>>

/** Values for the names in braces. Numbers are formatted for the user's language. */
export type Values = Readonly<Record<string, string | number>>

let catalogue: Catalogue = {}
let spoken = 'en'
/** Created on first use, because that takes a browser tens of milliseconds. */
let plurals: Intl.PluralRules | undefined
let numbers: Intl.NumberFormat | undefined

/** Call this before anything renders, because modules keep the texts they create when loaded. */
export function speak(locale: string, texts: Catalogue): void {
  catalogue = texts
  spoken = locale
  plurals = undefined
  numbers = undefined
}

/** Locale for times, numbers and lists. */
export function locale(): string {
  return spoken
}

/**
 * Returns the text in the user's language.
 * @param text in English, as a literal: a test compares the catalogues with the source
 */
export function t(text: string, values: Values = {}): string {
  const found = catalogue[text] ?? text
  return fill(typeof found === 'string' ? found : (found.other ?? text), values)
}

/**
 * Returns a text with a count, which replaces `{count}`.
 * @param other key of the text in the catalogues
 */
export function counted(count: number, one: string, other: string, values: Values = {}): string {
  const found = catalogue[other] ?? { one, other }
  plurals ??= new Intl.PluralRules(spoken)
  const text = typeof found === 'string' ? found : (found[plurals.select(count)] ?? found.other ?? other)
  return fill(text, { count, ...values })
}

/** Returns the text for a server error; undefined if the server's English message should be used. */
export function errorText(code: string, message: string): string | undefined {
  const found = catalogue[`error.${code}`]
  return typeof found === 'string' ? fill(found, { message }) : undefined
}

/** Fills in values without translating the text. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? formatNumber(value) : isolated(value ?? whole)
  })
}

function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat(spoken)
  return numbers.format(value)
}

const ISOLATES = /[\u2066-\u2069]/g
const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/

/** Isolates a name that has another direction or changes the direction of the text after it. */
export function isolated(value: string): string {
  return TURNING.test(value) ? `\u2068${balanced(value)}\u2069` : value
}

/** Balances control characters: an unmatched end would close the context of the surrounding text. */
function balanced(value: string): string {
  let open = 0
  const kept = value.replace(ISOLATES, (sign) => {
    open += sign === '\u2069' ? -1 : 1
    if (open >= 0) return sign
    open = 0
    return ''
  })
  return kept + '\u2069'.repeat(open)
}
