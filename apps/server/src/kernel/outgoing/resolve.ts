import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

export type Resolve = (name: string) => Promise<LookupAddress[]>

const DNS_TIMEOUT_MS = 2000
const DNS_TRIES = 2
/** Maximum simultaneous system lookups. Each occupies one of libuv's four threads, shared with files and passwords, for up to 30 s. */
const SYSTEM_LOOKUPS_AT_ONCE = 2

/** Resolves like any program on this machine, with the hosts file first. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })

/**
 * Resolves names chosen by users, whose servers may be slow on purpose. It asks DNS, which takes no thread. Only for
 * names that DNS does not know, and names without a dot, it asks the system, a few at a time.
 */
export function patientResolve(
  dns: Resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES }),
): Resolve {
  const system = fewAtOnce(systemResolve, SYSTEM_LOOKUPS_AT_ONCE)
  return async (name) => {
    const known = name.includes('.') ? await askDns(dns, name) : []
    return known.length > 0 ? known : system(name)
  }
}

/** Asks DNS. Returns an empty list for a name that has no addresses, or whose servers do not answer. */
async function askDns(dns: Resolver, name: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.all([
    dns.resolve4(name).catch(() => []),
    dns.resolve6(name).catch(() => []),
  ])
  return [
    ...four.map((address) => ({ address, family: 4 })),
    ...six.map((address) => ({ address, family: 6 })),
  ]
}

function fewAtOnce(resolve: Resolve, most: number): Resolve {
  const waiting: (() => void)[] = []
  let running = 0
  return async (name) => {
    if (running >= most) await new Promise<void>((begin) => waiting.push(begin))
    else running += 1
    try {
      return await resolve(name)
    } finally {
      // The slot passes to the next waiter; it is free only if there is none.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
