import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Bus, Event, Relay } from '../bus.ts'
import type { Database } from '../database.ts'
import { newId } from '../ids.ts'
import type { Metrics } from '../metrics.ts'
import { PubSub } from '../valkey/pub-sub.ts'
import type { Valkey } from '../valkey/valkey.ts'
import { Absence, HEARD_BY_ALL_MS } from './absence.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { type Beat, parseBeat } from './beats.ts'
import { ackChannelOf, beatChannels, channelOf, gatewayChannels } from './channels.ts'
import { Following } from './following.ts'
import { Neighbours } from './neighbours.ts'
import { Publisher } from './publisher.ts'
import { Stream } from './stream.ts'
import { decodeEvents, encodeEvents } from './wire.ts'

const BEAT_MS = 500
/** Without an echo for this long Valkey counts as away, whatever its connections say. */
const MAX_ECHO_MS = 1500
const START_TIMEOUT_MS = 5000

export interface ClusterDeps {
  valkey: Valkey
  bus: Bus
  database: Database
  metrics: Metrics
  log: Logger
  /** Whether gateway connections may be here, which hear messages. */
  hasGateway: boolean
}

/** Events that go the same way. */
type EventGroup = readonly [channel: string, events: readonly Event[]]

/**
 * Joins the processes of an installation: what one commits the others hear, in an order in which nothing overtakes what was
 * acknowledged before it. Valkey carries it; the journal has whatever Valkey did not.
 */
export class Cluster implements Relay {
  readonly processId = newId()
  readonly #deps: ClusterDeps
  readonly #pubSub: PubSub
  readonly #publisher: Publisher
  readonly #stream: Stream
  readonly #neighbours = new Neighbours()
  readonly #following: Following
  readonly #absence: Absence
  readonly #acknowledgements = new Acknowledgements()
  readonly #closing = new AbortController()
  /** When the latest echo that came on a channel was sent. */
  readonly #echoes = new Map<string, number>()
  /** How often Valkey came back. */
  #ups = 0
  #forgotListener: () => void = () => undefined
  #wake = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(deps: ClusterDeps) {
    this.#deps = deps
    this.#stream = new Stream({
      ...deps,
      onCaughtUp: (count) => deps.metrics.caughtUp.inc(count),
      onForgotten: () => this.#forgotListener(),
    })
    this.#pubSub = new PubSub(deps.valkey, {
      onMessage: (channel, payload) => this.#hear(channel, payload),
      onUp: () => {
        this.#ups += 1
        this.#wake.abort()
      },
      onDown: () => {
        this.#loseLink()
        this.#wake.abort()
      },
    })
    const { processId } = this
    this.#publisher = new Publisher({ ...deps, pubSub: this.#pubSub, processId })
    this.#absence = new Absence({ ...deps, processId })
    this.#following = new Following({
      ...deps,
      processId,
      neighbours: this.#neighbours,
      stream: this.#stream,
      closing: this.#closing.signal,
    })
  }

  /** Resolves once it hears the others, or after five seconds in which Valkey is away: then it begins without. */
  async start(): Promise<void> {
    const { valkey, bus, hasGateway } = this.#deps
    const own = ackChannelOf(this.processId)
    const channels = [...beatChannels, ...(hasGateway ? gatewayChannels : []), own]
    bus.freshness.end()
    this.#stream.fallBehind()
    this.#absence.begin()
    this.#pubSub.subscribe(channels.map((channel) => valkey.name(channel)))
    bus.connect(this)
    this.#running = this.#run()
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!this.#stream.isLive && performance.now() < deadline) await sleep(10)
  }

  /** Calls the listener when connections may have missed what they can only find out by resuming. */
  onForgotten(listener: () => void): void {
    this.#forgotListener = listener
  }

  /** Resolves once everybody hears it before all that is sent from now on. Never rejects. */
  async send(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return
    this.#stream.take(events)
    const groups = [...Map.groupBy(events, channelOf)]
    if (events.some(isRestricting)) return this.#sendToAll(groups)
    const isTaken = await this.#sendGroups(groups, '')
    // What follows on it must not be heard before it.
    if (!isTaken && events.some(isLasting)) await sleep(HEARD_BY_ALL_MS)
  }

  /** Goes on when everybody has heard it, or can be known not to trust what they heard before. */
  async #sendToAll(groups: readonly EventGroup[]): Promise<void> {
    const { id, all } = this.#acknowledgements.expect(this.#neighbours.size * groups.length)
    const isTaken = await this.#sendGroups(groups, id)
    if (!isTaken) await sleep(this.#absence.untilNoticedMs)
    // Who is not counted for silence knows of it, and reads the journal by itself.
    else await Promise.all([all, this.#neighbours.isAnyInDoubt() ? sleep(HEARD_BY_ALL_MS) : undefined])
  }

  async #sendGroups(groups: readonly EventGroup[], ackId: string): Promise<boolean> {
    const results = await Promise.all(groups.map((group) => this.#sendGroup(group, ackId)))
    return !results.includes(false)
  }

  #sendGroup([channel, events]: EventGroup, ackId: string): Promise<boolean> {
    return this.#publisher.publish(channel, encodeEvents(this.processId, ackId, events))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake.abort()
    await Promise.all([this.#running, this.#following.settled(), this.#absence.end()])
    await this.#publisher.beat(true)
    this.#pubSub.close()
  }

  /**
   * Asked for each commit, and not only twice a second: what this process commits may follow on what it has not heard. Whoever
   * waits for its acknowledgement waits longer than an echo counts.
   */
  get isLive(): boolean {
    if (!this.#isLinked()) this.#loseLink()
    return this.#stream.isLive
  }

  get #ownChannel(): string {
    return this.#deps.valkey.name(ackChannelOf(this.processId))
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#wake = new AbortController()
      await this.#tick().catch((error) =>
        this.#deps.log.warn({ err: error }, 'the journal could not be read'),
      )
      const signal = AbortSignal.any([this.#wake.signal, this.#closing.signal])
      await sleep(BEAT_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #tick(): Promise<void> {
    void this.#publisher.beat(false)
    if (!this.#isLinked()) this.#loseLink()
    if (!this.#isProven()) this.#stream.fallBehind()
    if (this.#stream.isLive) return this.#following.look()
    this.#neighbours.excuse()
    this.#absence.tell()
    const [wasUp, ups] = [this.#pubSub.isUp, this.#ups]
    const isComplete = await this.#stream.catchUp()
    // What was published since the look at the journal must have been heard, too.
    if (isComplete && wasUp && this.#ups === ups && this.#isLinked()) this.#goLive()
  }

  #isLinked(): boolean {
    const latest = performance.now() - MAX_ECHO_MS
    return this.#pubSub.isUp && beatChannels.every((channel) => (this.#echoes.get(channel) ?? 0) > latest)
  }

  /** Who cannot be heard through Valkey must have been followed through the journal. */
  #isProven(): boolean {
    return this.#deps.bus.freshness.isHeld || !this.#neighbours.isAnyInDoubt()
  }

  #loseLink(): void {
    // It may be behind already, for what it could not read.
    this.#stream.fallBehind()
    if (this.#absence.hasBegun) return
    this.#absence.begin()
    this.#deps.metrics.clusterUp.set(0)
    this.#deps.log.warn('Valkey is away: other processes are heard through the journal')
  }

  #goLive(): void {
    this.#stream.goLive()
    if (!this.#absence.hasBegun) return
    void this.#absence.end()
    this.#deps.metrics.clusterUp.set(1)
    this.#deps.log.info('joined the other processes through Valkey')
  }

  #hear(name: string, payload: string): void {
    // Valkey tells us what we published, too.
    if (payload.startsWith(this.processId)) return
    try {
      const beat = parseBeat(payload)
      if (beat !== undefined) this.#hearBeat(name, beat)
      else if (name === this.#ownChannel) this.#acknowledgements.hear(payload)
      else this.#hearEvents(payload)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'what another process published cannot be read')
    }
  }

  #hearEvents(payload: string): void {
    const { processId, ackId, events } = decodeEvents(payload)
    const behindMs = this.#neighbours.returning(processId)
    if (behindMs === undefined) this.#stream.receive(events)
    else this.#stream.receiveFromReturned(events, behindMs)
    const isHeard = this.#stream.isLive && ackId !== ''
    if (isHeard) void this.#publisher.publish(ackChannelOf(processId), ackId)
  }

  #hearBeat(name: string, beat: Beat): void {
    if (beat.process_id === this.processId) return this.#hearEcho(name, beat)
    this.#following.hear(beat)
  }

  #hearEcho(name: string, { wall, monotonic }: Beat): void {
    const channel = beatChannels.find((channel) => this.#deps.valkey.name(channel) === name)
    if (channel === undefined) return
    this.#echoes.set(channel, monotonic)
    const isLast = beatChannels.every((other) => this.#echoes.get(other) === monotonic)
    if (isLast && this.#stream.isLive && !this.#neighbours.isAnyInDoubt())
      this.#stream.prove({ wall, monotonic })
    if (isLast && !this.#stream.isLive) this.#wake.abort()
  }
}

/** Takes something from somebody: whoever did it is told that it is done when it is so everywhere. */
const RESTRICTING =
  /^(SPACE_ACCESS_CHANGE|SPACE_MEMBER_(UPDATE|DELETE)|SPACE_DELETE|CONVERSATION_(DELETE|MEMBER_REMOVE)|BLOCK_CREATE|SESSION_END|CREDENTIAL_CHANGE|STORAGE_CHANGE)$/

function isLasting({ id }: Event): boolean {
  return id !== undefined
}

function isRestricting({ name }: Event): boolean {
  return RESTRICTING.test(name)
}
