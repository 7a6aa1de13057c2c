import { domainToASCII, domainToUnicode } from 'node:url'

const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/** Returns whether the text can be a mail address, in any script (RFC 6531). */
export function isMailAddress(text: string): boolean {
  const { local, domain } = partsOf(text)
  const isLocal = LOCAL_PART.test(local) && local.split('.').every((part) => part !== '')
  const labels = domain.split('.')
  return (
    isLocal && labels.length > 1 && labels.every((label) => LABEL.test(label)) && domainToASCII(domain) !== ''
  )
}

/** Returns whether the text can be the domain of a mail address. */
export function isMailDomain(text: string): boolean {
  return isMailAddress(`a@${text}`)
}

/** Returns the canonical form of a domain: in ASCII if possible, and in lower case. */
export function canonicalDomain(domain: string): string {
  return (domainToASCII(domain) || domain).toLowerCase()
}

/**
 * Returns the canonical spelling of an address: composed characters, and the domain in ASCII, which every mail server
 * understands. An address without a domain, or with a domain that has no ASCII form, is not changed.
 */
export function canonicalAddress(address: string): string {
  const { local, domain } = partsOf(address.normalize('NFC'))
  if (isAscii(domain)) return address.normalize('NFC')
  return `${local}@${domainToASCII(domain)}`
}

/**
 * Masks an address so that only its owner recognizes it: first and last letter of the name, and the domain. Answers
 * and logs never contain a whole address.
 */
export function maskAddress(address: string): string {
  const { local, domain } = partsOf(address)
  const letters = [...local]
  const last = letters.length > 2 ? letters.at(-1) : ''
  return `${letters[0] ?? ''}•••${last}@${domainToUnicode(domain) || domain}`
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

function partsOf(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, Math.max(at, 0)), domain: address.slice(at + 1) }
}
