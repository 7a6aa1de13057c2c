import type { BlockList } from 'node:net'
import { blockListOf, holds, isAddressOrRange } from './addresses.ts'

/**
 * An entry with a port: a name, an IPv4 address or range, or IPv6 in brackets. IPv6 without brackets has no port.
 */
const WITH_PORT = /^(\[[^\]]+\](?:\/\d+)?|[^:[\]]+):(\d+)$/
const MAX_PORT = 65_535

interface Entry {
  host: string
  /** Undefined for all ports. */
  port: number | undefined
}

/** Private hosts that the operator lets users name, on all ports or on the port of their entry. */
export class AllowedHosts {
  readonly #byPort: ReadonlyMap<number | undefined, HostSet>

  /** @throws Error with the entry that is neither a host nor an address nor a range */
  constructor(entries: readonly string[]) {
    const byPort = Map.groupBy(entries.map(parseEntry), ({ port }) => port)
    this.#byPort = new Map(
      Array.from(byPort, ([port, some]) => [port, new HostSet(some.map(({ host }) => host))]),
    )
  }

  /** Ports that entries name: they allow additional hosts. */
  get ports(): number[] {
    return [...this.#byPort.keys()].filter((port) => port !== undefined)
  }

  hasName(host: string, port: number): boolean {
    return this.#sets(port).some((set) => set.hasName(host))
  }

  hasAddress(address: string, port: number): boolean {
    return this.#sets(port).some((set) => set.hasAddress(address))
  }

  #sets(port: number): HostSet[] {
    return [this.#byPort.get(undefined), this.#byPort.get(port)].filter((set) => set !== undefined)
  }
}

class HostSet {
  readonly #names: ReadonlySet<string>
  readonly #suffixes: readonly string[]
  readonly #addresses: BlockList

  constructor(hosts: readonly string[]) {
    const names = hosts.filter((host) => !isAddressOrRange(host))
    this.#names = new Set(names.filter((name) => !name.startsWith('*.')))
    this.#suffixes = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1))
    this.#addresses = blockListOf(hosts.filter(isAddressOrRange))
  }

  hasName(host: string): boolean {
    const name = plainName(host)
    return this.#names.has(name) || this.#suffixes.some((suffix) => name.endsWith(suffix))
  }

  hasAddress(address: string): boolean {
    return holds(this.#addresses, address)
  }
}

function parseEntry(entry: string): Entry {
  const [, named, port] = WITH_PORT.exec(entry) ?? []
  const host = plainName((named ?? entry).replace(/^\[([^[\]]*)\]/, '$1'))
  const isName = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= MAX_PORT)
  if (!isPort || !(isName || isAddressOrRange(host)))
    throw new Error(`ALLOWED_PRIVATE_HOSTS: ${entry} is not a host, address or range`)
  return { host, port: port === undefined ? undefined : Number(port) }
}

/** Returns a host name in lower case, without the dot of the DNS root at its end. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
