import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

export type Resolve = (name: string) => Promise<LookupAddress[]>

const DNS_TIMEOUT_MS = 2000
const DNS_TRIES = 2
/** Of the four threads that files and passwords need too. A lookup holds one until it is answered, up to half a minute. */
const SYSTEM_LOOKUPS_AT_ONCE = 2

/** As every program on this machine: its hosts file first. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })

/**
 * For names that anybody chose: their servers may be slow on purpose. DNS is asked without taking a thread; only for a
 * name that it does not know, and for one without a dot, the system is asked, a few at a time.
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

/** Empty for a name that has no address, or whose servers do not answer. */
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
      // The place goes to whoever waits; it is free only when nobody does.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
