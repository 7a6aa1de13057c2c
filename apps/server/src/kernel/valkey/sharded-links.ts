import type { Cluster } from 'ioredis'
import { flavours, Link, type LinkEvents } from './link.ts'
import { slotOf } from './slots.ts'
import type { Valkey } from './valkey.ts'

/** Interval at which the servers of the channels are looked up until all links are up. */
const ARRANGE_AFTER_MS = 250

/** Links to all primaries of a cluster, each with its own channels. Up when all of them are. */
export class ShardedLinks {
  readonly #valkey: Valkey
  readonly #cluster: Cluster
  readonly #events: LinkEvents
  readonly #links = new Map<string, { link: Link; channels: readonly string[] }>()
  #channels: readonly string[] = []
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isUp = false

  constructor(valkey: Valkey, cluster: Cluster, events: LinkEvents) {
    this.#valkey = valkey
    this.#cluster = cluster
    this.#events = events
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Subscribes to these channels. Call it once. */
  subscribe(channels: readonly string[]): void {
    this.#channels = channels
    this.#cluster.once('ready', () => this.#arrange())
    this.#arrange()
  }

  /** @throws the errors of `Link.publish`, and Error if no server has the channel */
  async publish(channel: string, payload: string): Promise<number> {
    const home = this.#links.get(this.#nodeOf(channel) ?? '')
    if (home === undefined) throw new Error('no node of the Valkey cluster serves this pub/sub channel')
    return home.link.publish(channel, payload)
  }

  close(): void {
    this.#isClosed = true
    this.#isUp = false
    clearTimeout(this.#timer)
    for (const node of this.#links.keys()) this.#drop(node)
  }

  #nodeOf(channel: string): string | undefined {
    return this.#cluster.slots[slotOf(channel)]?.[0]
  }

  /** Asks the cluster for the servers of all channels and links to them, repeatedly until all are subscribed. */
  #arrange(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#isUp) return
    this.#timer = setTimeout(() => this.#arrange(), ARRANGE_AFTER_MS).unref()
    this.#cluster.refreshSlotsCache(() => this.#link())
  }

  #link(): void {
    if (this.#isClosed || this.#isUp) return
    const nodes = new Set(this.#cluster.slots.flatMap(([node]) => node ?? []))
    const channelsOf = Map.groupBy(this.#channels, (channel) => this.#nodeOf(channel))
    for (const node of this.#links.keys()) if (!nodes.has(node)) this.#drop(node)
    for (const node of nodes) this.#linkTo(node, channelsOf.get(node) ?? [])
    this.#check()
  }

  #linkTo(node: string, channels: readonly string[]): void {
    const known = this.#links.get(node)
    if (known?.channels.join() === channels.join()) return
    known?.link.close()
    const link = new Link(() => this.#valkey.connect(node), flavours.sharded, {
      onMessage: (channel, payload) => this.#isUp && this.#events.onMessage(channel, payload),
      onUp: () => this.#check(),
      onDown: () => this.#fall(),
    })
    this.#links.set(node, { link, channels })
    link.subscribe(channels)
  }

  #drop(node: string): void {
    this.#links.get(node)?.link.close()
    this.#links.delete(node)
  }

  #check(): void {
    const links = [...this.#links.values()]
    const subscribed = links.reduce((sum, { channels }) => sum + channels.length, 0)
    // Some slots have no server while a cluster is being created, or fails.
    const isComplete = links.length > 0 && subscribed === this.#channels.length
    if (this.#isUp || !isComplete || !links.every(({ link }) => link.isUp)) return
    this.#isUp = true
    clearTimeout(this.#timer)
    this.#events.onUp()
  }

  #fall(): void {
    if (!this.#isUp) return
    this.#isUp = false
    this.#events.onDown()
    this.#arrange()
  }
}
