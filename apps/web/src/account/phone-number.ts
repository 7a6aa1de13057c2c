/**
 * A number as people write it, in the form of E.164: `+`, its country, and up to 15 digits in all. Null for what is none.
 * Source: ITU-T E.164; E.123 has the signs that people set between the digits, but not
 * the `(0)` that many set before an area code: it is for calls from within the country.
 */
export function phoneNumber(written: string): string | null {
  const abroad = written.replace(/\(\s*0\s*\)/, '')
  const digits = abroad.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}
