import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { isPublic } from './addresses.ts'
import { AllowedHosts } from './allowed-hosts.ts'
import { OutgoingError } from './outgoing-error.ts'
import { type Resolve, systemResolve } from './resolve.ts'

/** Decides which addresses the server may connect to. */
export interface Guard {
  /** Returns the addresses of a host to connect to, resolved once, never empty. */
  addressesOf(host: string, port: number): Promise<LookupAddress[]>
  /** Ports whose rules may differ from those of other ports. */
  readonly ports: readonly number[]
}

/** Allows all addresses, for requests to hosts set by the operator. */
export const trustingGuard: Guard = {
  addressesOf: (host) => literalAddress(host) ?? systemResolve(host),
  ports: [],
}

export interface PublicGuardOptions {
  allowedPrivateHosts: readonly string[]
  resolve: { allowed: Resolve; others: Resolve }
}

/**
 * Guards requests to hosts chosen by users: of a name's addresses, only public and allowed ones are kept, so that a name
 * with both kinds never leads into the private network.
 * @throws Error with the entry that is neither a host nor an address nor a range
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
