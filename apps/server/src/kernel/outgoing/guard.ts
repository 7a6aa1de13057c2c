import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type BlockList, isIP } from 'node:net'
import { blockListOf, holds, isPublic } from './addresses.ts'
import { OutgoingError } from './outgoing-error.ts'

export type Resolve = (name: string) => Promise<LookupAddress[]>

/** Says to which addresses a connection may be made. */
export interface Guard {
  /** The addresses of a host to connect to, resolved once, never empty. */
  addressesOf(host: string): Promise<LookupAddress[]>
}

export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })

/** For an address that the operator set. */
export function trustingGuard(resolve: Resolve): Guard {
  return { addressesOf: (host) => literalAddress(host) ?? resolve(host) }
}

/**
 * For addresses that users chose: of the resolver's answers only those are left which are public or allowed, so that a
 * name with both never leads inward.
 * @param allowedPrivateHosts names, `*.suffixes`, addresses and ranges
 * @throws Error that names an entry which is none of these
 */
export function publicGuard(allowedPrivateHosts: readonly string[], resolve: Resolve): Guard {
  const allowed = new AllowedHosts(allowedPrivateHosts)
  return {
    async addressesOf(host) {
      const answers = await (literalAddress(host) ?? resolve(host))
      if (allowed.hasName(host)) return answers
      const open = answers.filter(({ address }) => isPublic(address) || allowed.hasAddress(address))
      if (answers.length > 0 && open.length === 0) throw new OutgoingError('blocked', host)
      return open
    },
  }
}

class AllowedHosts {
  readonly #names: ReadonlySet<string>
  readonly #suffixes: readonly string[]
  readonly #addresses: BlockList

  constructor(entries: readonly string[]) {
    const names = entries.filter((entry) => !isAddressOrRange(entry)).map(plainName)
    const strange = names.find((name) => !/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name))
    if (strange !== undefined) throw new Error(`${strange} is no host, address or range`)
    this.#names = new Set(names.filter((name) => !name.startsWith('*.')))
    this.#suffixes = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1))
    this.#addresses = blockListOf(entries.filter(isAddressOrRange).map(withoutBrackets))
  }

  hasName(host: string): boolean {
    const name = plainName(host)
    return this.#names.has(name) || this.#suffixes.some((suffix) => name.endsWith(suffix))
  }

  hasAddress(address: string): boolean {
    return holds(this.#addresses, address)
  }
}

function literalAddress(host: string): Promise<LookupAddress[]> | undefined {
  const address = withoutBrackets(host)
  const family = isIP(address)
  return family === 0 ? undefined : Promise.resolve([{ address, family }])
}

function isAddressOrRange(entry: string): boolean {
  return isIP(withoutBrackets(entry.split('/')[0] ?? '')) !== 0
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** A name with the dot of the root at its end is the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
