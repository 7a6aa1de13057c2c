import { type GatewayError, type Identify, Opcode } from '@foyer/protocol/gateway'
import type { MembersChunk, RequestMembers, Subscribe } from '@foyer/protocol/members'
import type { UpdatePresence } from '@foyer/protocol/presence'
import { type Deferred, defer } from './deferred.ts'
import type { ClientFrame } from './frames.ts'
import { randomNonce } from './nonce.ts'
import type { Subscribers } from './subscribers.ts'

/** The result of `requestMembers`. */
export type FoundMembers = Pick<MembersChunk, 'members' | 'presences' | 'not_found'>

/** Reason why the server refused a command. */
export class GatewayCommandError extends Error {
  /** Error code of the server, such as `not_a_member` or `rate_limited`. */
  readonly code: string

  constructor({ code, error }: Pick<GatewayError, 'code' | 'error'>) {
    super(error)
    this.code = code
  }
}

interface Pending extends Deferred<FoundMembers> {
  readonly request: RequestMembers
  chunks: MembersChunk[]
}

/** A client's gateway commands, which are repeated after a reconnect. */
export class Commands {
  readonly #send: (frame: ClientFrame) => void
  readonly #subscriptions = new Map<string, Subscribe>()
  readonly #pending = new Map<string, Pending>()
  /** The presence that the client has set; undefined leaves it to the server. */
  presence: UpdatePresence | undefined
  /** Kinds of events that are sent only to clients that ask for them, such as `threads`. */
  capabilities: string[] | undefined
  /** The presence last sent on this connection. */
  #sent: UpdatePresence | undefined

  /** @param send does nothing unless a connection is ready */
  constructor(send: (frame: ClientFrame) => void) {
    this.#send = send
  }

  setPresence(presence: UpdatePresence): void {
    this.presence = presence
    this.#send({ op: Opcode.PresenceUpdate, d: presence })
  }

  /** Returns the fields for IDENTIFY and RESUME. */
  introduce(): Pick<Identify, 'presence' | 'capabilities'> {
    const { presence, capabilities } = this
    this.#sent = presence
    return { ...(presence && { presence }), ...(capabilities && { capabilities }) }
  }

  subscribe(subscription: Subscribe): void {
    const { space_id, member_ranges = [], presence = true, typing = true } = subscription
    const isUsual = (member_ranges?.length ?? 0) === 0 && presence && typing
    if (isUsual) this.#subscriptions.delete(space_id)
    else this.#subscriptions.set(space_id, subscription)
    this.#send({ op: Opcode.Subscribe, d: subscription })
  }

  requestMembers(given: RequestMembers): Promise<FoundMembers> {
    const nonce = randomNonce()
    const request = { ...given, nonce }
    const pending = { ...defer<FoundMembers>(), request, chunks: [] }
    this.#pending.set(nonce, pending)
    this.#send({ op: Opcode.RequestMembers, d: request })
    return pending.promise
  }

  /** Sends the state and pending requests again on a new connection. */
  repeat(): void {
    if (this.presence !== undefined && this.presence !== this.#sent)
      this.#send({ op: Opcode.PresenceUpdate, d: this.presence })
    for (const subscription of this.#subscriptions.values())
      this.#send({ op: Opcode.Subscribe, d: subscription })
    for (const pending of this.#pending.values()) {
      pending.chunks = []
      this.#send({ op: Opcode.RequestMembers, d: pending.request })
    }
  }

  /** Listens to the events that answer requests or end subscriptions. */
  follow(events: Pick<Subscribers, 'on'>): void {
    events.on('SPACE_MEMBERS_CHUNK', (chunk) => this.#collect(chunk))
    events.on('SPACE_DELETE', ({ space_id }) => this.#subscriptions.delete(space_id))
    events.on('ROOM_DELETE', ({ space_id, room_id }) => this.#forgetRoom(space_id, room_id))
  }

  /** @returns true if a caller was waiting for the answer */
  fail(error: GatewayError): boolean {
    const pending = this.#pending.get(error.nonce ?? '')
    this.#pending.delete(error.nonce ?? '')
    pending?.reject(new GatewayCommandError(error))
    return pending !== undefined
  }

  /** Rejects all pending requests, because the gateway was closed. */
  end(): void {
    const error = { code: 'closed', error: 'the gateway was closed' }
    for (const { reject } of this.#pending.values()) reject(new GatewayCommandError(error))
    this.#pending.clear()
  }

  /** Ends the subscription to a room's member list, because the user can no longer view the room. */
  #forgetRoom(spaceId: string, roomId: string): void {
    const { room_id, typing = true } = this.#subscriptions.get(spaceId) ?? {}
    if (room_id !== roomId) return
    if (typing) this.#subscriptions.delete(spaceId)
    else this.#subscriptions.set(spaceId, { space_id: spaceId, typing })
  }

  #collect(chunk: MembersChunk): void {
    const pending = this.#pending.get(chunk.nonce ?? '')
    if (pending === undefined) return
    pending.chunks.push(chunk)
    if (pending.chunks.length < chunk.chunk_count) return
    this.#pending.delete(chunk.nonce ?? '')
    pending.resolve({
      members: pending.chunks.flatMap(({ members }) => members),
      presences: pending.chunks.flatMap(({ presences }) => presences),
      not_found: pending.chunks.flatMap(({ not_found }) => not_found),
    })
  }
}
