/**
 * An address as its owner recognizes it: the first and the last letter of the name, and the domain. No answer has the whole
 * address, so that a stolen session does not tell it.
 */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const letters = [...email.slice(0, at)]
  const last = letters.length > 2 ? letters.at(-1) : ''
  return `${letters[0] ?? ''}•••${last}${email.slice(at)}`
}
