/** A text in another language; where it counts something, one for each category of the plural. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** By the English text, and by `error.` and the code for what the server says. */
export type Catalogue = Readonly<Record<string, Translation>>

/** For the names in braces. Numbers are written as the reader's language writes them. */
export type Values = Readonly<Record<string, string | number>>

let catalogue: Catalogue = {}
let spoken = 'en'
/** Made when they are first wanted: it takes a browser tens of milliseconds. */
let plurals: Intl.PluralRules | undefined
let numbers: Intl.NumberFormat | undefined

/** Before anything is drawn: modules keep texts that they made when they were loaded. */
export function speak(locale: string, texts: Catalogue): void {
  catalogue = texts
  spoken = locale
  plurals = undefined
  numbers = undefined
}

/** What times, numbers and lists are written by. */
export function locale(): string {
  return spoken
}

/**
 * The text in the reader's language.
 * @param text in English, as a literal: the catalogues are held against what stands in the source
 */
export function t(text: string, values: Values = {}): string {
  const found = catalogue[text] ?? text
  return fill(typeof found === 'string' ? found : (found.other ?? text), values)
}

/**
 * A text that counts; `{count}` in it is the number.
 * @param other the name of the text in the catalogues
 */
export function counted(count: number, one: string, other: string, values: Values = {}): string {
  const found = catalogue[other] ?? { one, other }
  plurals ??= new Intl.PluralRules(spoken)
  const text = typeof found === 'string' ? found : (found[plurals.select(count)] ?? found.other ?? other)
  return fill(text, { count, ...values })
}

/** What the server says by an error's code; undefined where that is its own message, which is an English one. */
export function errorText(code: string, message: string): string | undefined {
  const found = catalogue[`error.${code}`]
  return typeof found === 'string' ? fill(found, { message }) : undefined
}

/** For what is put together otherwise. */
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

/** A name that runs the other way, or turns what follows it around, does so within itself. */
export function isolated(value: string): string {
  return TURNING.test(value) ? `\u2068${balanced(value)}\u2069` : value
}

/** An end of what did not begin in the text would be that of what stands around it. */
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
