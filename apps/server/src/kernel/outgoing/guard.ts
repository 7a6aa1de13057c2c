import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { isPublic } from './addresses.ts'
import { AllowedHosts } from './allowed-hosts.ts'
import { OutgoingError } from './outgoing-error.ts'
import { type Resolve, systemResolve } from './resolve.ts'

/** Says to which addresses a connection may be made. */
export interface Guard {
  /** The addresses of a host to connect to, resolved once, never empty. */
  addressesOf(host: string, port: number): Promise<LookupAddress[]>
  /** Ports for which the answer may differ from that for any other port. */
  readonly ports: readonly number[]
}

/** For an address that the operator set. */
export const trustingGuard: Guard = {
  addressesOf: (host) => literalAddress(host) ?? systemResolve(host),
  ports: [],
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
    ports: allowed.ports,
    async addressesOf(host, port) {
      const literal = literalAddress(host)
      if (literal === undefined && allowed.hasName(host, port)) return resolve.allowed(host)
      const answers = await (literal ?? resolve.others(host))
      const open = answers.filter(({ address }) => isPublic(address) || allowed.hasAddress(address, port))
      if (answers.length > 0 && open.length === 0) throw new OutgoingError('blocked', host)
      return open
    },
  }
}

function literalAddress(host: string): Promise<LookupAddress[]> | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family === 0 ? undefined : Promise.resolve([{ address, family }])
}
