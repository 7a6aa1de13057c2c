import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { Bus, Event, Relay } from '../journal/bus.ts'
import type { Metrics } from '../metrics.ts'
import { PubSub } from '../valkey/pub-sub.ts'
import type { Valkey } from '../valkey/valkey.ts'
import { Absence, RECEIVED_BY_ALL_MS } from './absence.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { type Beat, parseBeat } from './beats.ts'
import { ackChannelOf, beatChannels, channelOf, gatewayChannels } from './channels.ts'
import { Following } from './following.ts'
import { Neighbours } from './neighbours.ts'
import { Publisher } from './publisher.ts'
import { Stream } from './stream.ts'
import { decodeEvents, encodeEvents } from './wire.ts'

const BEAT_MS = 500
/** An echo is this process's own beat, returned by Valkey. Without an echo for this long, Valkey counts as unavailable. */
const MAX_ECHO_MS = 1500
const START_TIMEOUT_MS = 5000

export interface ClusterDeps {
  valkey: Valkey
  bus: Bus
  database: Database
  metrics: Metrics
  log: Logger
  /** True if this process may have gateway connections, which need messages. */
  hasGateway: boolean
}

/** Events of one channel. */
type EventGroup = readonly [channel: string, events: readonly Event[]]

/**
 * Connects the processes of an installation. Each process receives the events that the others commit, and never receives
 * an event before another one that was acknowledged earlier. Valkey carries the events; events that it loses are read
 * from the journal.
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
  /** Sending time of each channel's latest echo, by `performance.now()`. */
  readonly #echoes = new Map<string, number>()
  /** Number of times that the connection to Valkey was established, the first included. */
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
      onMessage: (channel, payload) => this.#receive(channel, payload),
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

  /** Connects. Resolves when events of other processes are received, or after five seconds without Valkey. */
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

  /** Registers a callback for when gateway connections may have lost events that only a resume can recover. */
  onForgotten(listener: () => void): void {
    this.#forgotListener = listener
  }

  /** Sends events. Resolves when it is certain that every process receives them before any later event. Never rejects. */
  async send(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return
    this.#stream.take(events)
    const groups = [...Map.groupBy(events, channelOf)]
    if (events.some(isRestricting)) return this.#sendToAll(groups)
    const isTaken = await this.#sendGroups(groups, '')
    // Every process reads these events from the journal within this time: none may receive later events before them.
    if (!isTaken && events.some(isLasting)) await sleep(RECEIVED_BY_ALL_MS)
  }

  /** Resolves when every process has received the events, or must have stopped trusting its caches. */
  async #sendToAll(groups: readonly EventGroup[]): Promise<void> {
    const { id, all } = this.#acknowledgements.expect(this.#neighbours.size * groups.length)
    const isTaken = await this.#sendGroups(groups, id)
    if (!isTaken) await sleep(this.#absence.untilNoticedMs)
    // A process that was dropped for its silence detects its own silence, and reads the journal by itself.
    else await Promise.all([all, this.#neighbours.isAnyInDoubt() ? sleep(RECEIVED_BY_ALL_MS) : undefined])
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
   * True while events arrive through Valkey. Checked at each commit, not only twice a second: a commit may depend on one
   * that this process has not received. An echo becomes invalid before the sender of such a commit stops waiting for this
   * process.
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
    this.#absence.announce()
    const [wasUp, ups] = [this.#pubSub.isUp, this.#ups]
    const isComplete = await this.#stream.catchUp()
    // Events published since the journal was read must have been received, too.
    if (isComplete && wasUp && this.#ups === ups && this.#isLinked()) this.#goLive()
  }

  #isLinked(): boolean {
    const latest = performance.now() - MAX_ECHO_MS
    return this.#pubSub.isUp && beatChannels.every((channel) => (this.#echoes.get(channel) ?? 0) > latest)
  }

  /** False if another process is in doubt, and the journal was not read in time to prove that nothing is missing. */
  #isProven(): boolean {
    return this.#deps.bus.freshness.isHeld || !this.#neighbours.isAnyInDoubt()
  }

  #loseLink(): void {
    // The stream may be behind already, because of a failed read.
    this.#stream.fallBehind()
    if (this.#absence.hasBegun) return
    this.#absence.begin()
    this.#deps.metrics.clusterUp.set(0)
    this.#deps.log.warn('Valkey is away: events of other processes are read from the journal')
  }

  #goLive(): void {
    this.#stream.goLive()
    if (!this.#absence.hasBegun) return
    void this.#absence.end()
    this.#deps.metrics.clusterUp.set(1)
    this.#deps.log.info('joined the other processes through Valkey')
  }

  #receive(name: string, payload: string): void {
    // Valkey also returns this process's own messages.
    if (payload.startsWith(this.processId)) return
    try {
      const beat = parseBeat(payload)
      if (beat !== undefined) this.#receiveBeat(name, beat)
      else if (name === this.#ownChannel) this.#acknowledgements.receive(payload)
      else this.#receiveEvents(payload)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'events of another process cannot be read')
    }
  }

  #receiveEvents(payload: string): void {
    const { processId, ackId, events } = decodeEvents(payload)
    const behindMs = this.#neighbours.returning(processId)
    if (behindMs === undefined) this.#stream.receive(events)
    else this.#stream.receiveFromReturned(events, behindMs)
    const isHeard = this.#stream.isLive && ackId !== ''
    if (isHeard) void this.#publisher.publish(ackChannelOf(processId), ackId)
  }

  #receiveBeat(name: string, beat: Beat): void {
    if (beat.process_id === this.processId) return this.#receiveEcho(name, beat)
    this.#following.receive(beat)
  }

  #receiveEcho(name: string, { wall, monotonic }: Beat): void {
    const channel = beatChannels.find((channel) => this.#deps.valkey.name(channel) === name)
    if (channel === undefined) return
    this.#echoes.set(channel, monotonic)
    const isLast = beatChannels.every((other) => this.#echoes.get(other) === monotonic)
    if (isLast && this.#stream.isLive && !this.#neighbours.isAnyInDoubt())
      this.#stream.prove({ wall, monotonic })
    if (isLast && !this.#stream.isLive) this.#wake.abort()
  }
}

/** Events that take rights or content away. The request is answered only when all processes have received them. */
const RESTRICTING =
  /^(SPACE_ACCESS_CHANGE|SPACE_MEMBER_(UPDATE|DELETE)|SPACE_DELETE|CONVERSATION_(DELETE|MEMBER_REMOVE)|BLOCK_CREATE|SESSION_(END|CHANGE)|CREDENTIAL_CHANGE|STORAGE_CHANGE|SERVER_SETTINGS_CHANGE|AUTOMOD_RULES_UPDATE)$/

function isLasting({ id }: Event): boolean {
  return id !== undefined
}

function isRestricting({ name }: Event): boolean {
  return RESTRICTING.test(name)
}
