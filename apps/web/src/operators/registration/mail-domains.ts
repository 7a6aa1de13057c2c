/** A part of a domain, by the server's rule. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u
const MAX_DOMAIN_CHARACTERS = 253

/** Returns the domains in a text, separated by spaces, commas or lines. An @ before a domain is dropped. */
export function mailDomainsIn(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((part) => part.replace(/^@/, ''))
    .filter((part) => part !== '')
}

/** Returns the first domain that the server would refuse. */
export function wrongDomainIn(domains: readonly string[]): string | undefined {
  return domains.find((domain) => !isMailDomain(domain))
}

function isMailDomain(domain: string): boolean {
  const labels = domain.split('.')
  return (
    domain.length <= MAX_DOMAIN_CHARACTERS && labels.length > 1 && labels.every((label) => LABEL.test(label))
  )
}
