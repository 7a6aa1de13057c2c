import { isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

const HOST = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/
/** Characters that end the host in a URL, after which a parser ignores the rest. */
const OTHER_PARTS = /[\s/\\?#@:%*]/
const MAX_HOST_CHARACTERS = 253

/** Returns a rule's host in the form of links: lower case, punycode, without `*.`. Undefined if it is not a host. */
export function normalizeHost(host: string): string | undefined {
  const bare = host.trim().replace(/^\*\./, '').replace(/\.$/, '')
  const address = bare.replace(/^\[|\]$/g, '')
  if (isIPv6(address)) return URL.parse(`http://[${address}]`)?.hostname
  const ascii = OTHER_PARTS.test(bare) ? undefined : asciiHost(bare)
  if (ascii === undefined || ascii.length > MAX_HOST_CHARACTERS) return undefined
  return HOST.test(ascii) ? ascii : undefined
}

/** Returns the punycode of a name; undefined if it is not a host name. */
export function asciiHost(name: string): string | undefined {
  return domainToASCII(name) || undefined
}

/** Lists a host and the domains above it: a.b.c, b.c, c. */
export function* domainsOf(host: string): Generator<string> {
  yield host
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) yield host.slice(dot + 1)
}
