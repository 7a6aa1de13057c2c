/**
 * Converts a phone number to the format of E.164: `+`, a country code, and up to 15 digits in total. Returns null if
 * it is not one. ITU-T E.123 lists the separators people use. It lacks the `(0)` that many write before an area
 * code, which is only for calls from within the country.
 */
export function phoneNumber(written: string): string | null {
  const abroad = written.replace(/\(\s*0\s*\)/, '')
  const digits = abroad.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}
