import type { LookupAddress } from 'node:dns'
import { type BlockList, isIP } from 'node:net'
import { blockListOf, holds, isAddressOrRange, isPublic } from './addresses.ts'
import { OutgoingError } from './outgoing-error.ts'
import { type Resolve, systemResolve } from './resolve.ts'

/** Says to which addresses a connection may be made. */
export interface Guard {
  /** The addresses of a host to connect to, resolved once, never empty. */
  addressesOf(host: string): Promise<LookupAddress[]>
}

/** For an address that the operator set. */
export const trustingGuard: Guard = {
  addressesOf: (host) => literalAddress(host) ?? systemResolve(host),
}

export interface PublicGuardOptions {
  allowedPrivateHosts: readonly string[]
  resolve: { allowed: Resolve; others: Resolve }
}

/**
 * For addresses that users chose: of the resolver's answers only those are left which are public or allowed, so that a
 * name with both never leads inward.
 * @throws Error that names an entry which is none of these
 */
export function publicGuard({ allowedPrivateHosts, resolve }: PublicGuardOptions): Guard {
  const allowed = new AllowedHosts(allowedPrivateHosts)
  return {
    async addressesOf(host) {
      const literal = literalAddress(host)
      if (literal === undefined && allowed.hasName(host)) return resolve.allowed(host)
      const answers = await (literal ?? resolve.others(host))
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
    const plain = entries.map((entry) => plainName(entry.replace(/[[\]]/g, '')))
    const names = plain.filter((entry) => !isAddressOrRange(entry))
    const strange = names.find((name) => !/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name))
    if (strange !== undefined)
      throw new Error(`ALLOWED_PRIVATE_HOSTS: ${strange} is no host, address or range`)
    this.#names = new Set(names.filter((name) => !name.startsWith('*.')))
    this.#suffixes = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1))
    this.#addresses = blockListOf(plain.filter(isAddressOrRange))
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
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family === 0 ? undefined : Promise.resolve([{ address, family }])
}

/** A name with the dot of the root at its end is the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
