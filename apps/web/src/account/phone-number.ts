/**
 * Converts a phone number to E.164: `+`, a country code, and up to 15 digits in total. Returns null if the text is not a phone
 * number. Accepts the separators of ITU-T E.123. Also drops `(0)`, which many people write before an area code, because that
 * digit is only dialled within the country.
 */
export function phoneNumber(written: string): string | null {
  const abroad = written.replace(/\(\s*0\s*\)/, '')
  const digits = abroad.replace(/[\s().\-/]/g, '').replace(/^00/, '+')
  return /^\+[1-9][0-9]{6,14}$/.test(digits) ? digits : null
}
