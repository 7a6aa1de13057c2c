/** A connection that can be closed to make room for another. */
interface Closable {
  close(): void
}

export interface StrangerLimits {
  /** Maximum connections that have not proven their session yet. */
  readonly unproven: number
  /**
   * Maximum unproven connections from one network (an IPv4 address or an IPv6 /64), including those that ended without
   * proof within `firstPacketMs`. Many clients may share an address, but few connect in the same second.
   */
  readonly unprovenOfNetwork: number
  /** Time within which the first packet must come. Clients send it as soon as they are connected. */
  readonly firstPacketMs: number
}

interface Network<Link> {
  readonly name: string
  /** In the order of their arrival. */
  readonly open: Set<Link>
  /** Connections that ended without proof within `firstPacketMs`. */
  ended: number
}

interface Stranger<Link> {
  readonly network: Network<Link>
  readonly timer: NodeJS.Timeout
}

/** Connections that have not proven yet that they belong to a session. */
export class Strangers<Link extends Closable> {
  readonly #limits: StrangerLimits
  readonly #networks = new Map<string, Network<Link>>()
  /** In the order of their arrival. */
  readonly #strangers = new Map<Link, Stranger<Link>>()
  readonly #onGone: (link: Link) => void

  /** @param onGone called for each connection that is closed to make room for another */
  constructor(limits: StrangerLimits, onGone: (link: Link) => void) {
    this.#limits = limits
    this.#onGone = onGone
  }

  /**
   * Makes room for a connection by closing the oldest, which is most likely idle: a client that opens many must not keep
   * others out.
   * @returns false if too many connections from its network have ended without proof
   */
  admits(name: string): boolean {
    const network = this.#networks.get(name)
    if (network !== undefined && network.ended >= this.#limits.unprovenOfNetwork) return false
    const places = this.#limits.unprovenOfNetwork - (network?.ended ?? 0)
    if (network !== undefined && network.open.size >= places) this.#giveWay(network.open)
    if (this.#strangers.size >= this.#limits.unproven) this.#giveWay(this.#strangers)
    return true
  }

  add(link: Link, name: string): void {
    const network = this.#networks.get(name) ?? { name, open: new Set(), ended: 0 }
    this.#networks.set(name, network)
    network.open.add(link)
    const timer = setTimeout(() => this.#expire(link, network), this.#limits.firstPacketMs).unref()
    this.#strangers.set(link, { network, timer })
  }

  /** Stops counting a connection that has proven its session, or that was closed to make room for another. */
  settle(link: Link): void {
    const stranger = this.#strangers.get(link)
    if (stranger === undefined) return
    clearTimeout(stranger.timer)
    this.#remove(link, stranger.network)
  }

  /**
   * Notes that a connection ended. Without proof, it counts until `firstPacketMs` is over, so that closing it early
   * gains nothing.
   */
  end(link: Link): void {
    const stranger = this.#strangers.get(link)
    if (stranger === undefined) return
    stranger.network.ended += 1
    this.#remove(link, stranger.network)
  }

  #expire(link: Link, network: Network<Link>): void {
    if (network.open.has(link)) {
      this.#remove(link, network)
      return link.close()
    }
    network.ended -= 1
    this.#forgetEmpty(network)
  }

  /** Closes the oldest connection. It is removed now, before it is closed, so that the next arrival chooses another. */
  #giveWay(links: Set<Link> | Map<Link, unknown>): void {
    const [oldest] = links.keys()
    if (oldest === undefined) return
    this.settle(oldest)
    this.#onGone(oldest)
    oldest.close()
  }

  #remove(link: Link, network: Network<Link>): void {
    this.#strangers.delete(link)
    network.open.delete(link)
    this.#forgetEmpty(network)
  }

  #forgetEmpty({ name, open, ended }: Network<Link>): void {
    if (open.size === 0 && ended === 0) this.#networks.delete(name)
  }
}
