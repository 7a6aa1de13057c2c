import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { AccessToken, type ClaimGrants, TokenVerifier } from 'livekit-server-sdk'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { LiveKitSettings } from '#src/config.ts'

/** Webhook request that LiveKit sends to the addresses of `webhook.urls`. */
export interface SentWebhook {
  body: string
  token: string
}

const Permission = Type.Object({
  canPublish: Type.Optional(Type.Boolean()),
  canSubscribe: Type.Optional(Type.Boolean()),
})
const OfRoom = Type.Object({ room: Type.String({ minLength: 1 }) })
const OfParticipant = Type.Object({ room: Type.String(), identity: Type.String() })

/** A connected client. Its track stays when the client may no longer publish: only muting silences it. */
export interface FakeParticipant {
  readonly sid: string
  readonly identity: string
  readonly room: string
  permission: { canPublish?: boolean | undefined; canSubscribe?: boolean | undefined }
  track: { sid: string; source: 'MICROPHONE'; muted: boolean } | undefined
}

class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Fake of the parts of LiveKit that a server uses: HTTP API, tokens and webhooks. Its clients have no media. */
export class FakeLiveKit {
  readonly settings: LiveKitSettings
  /** Requests as `<method> <JSON>`. */
  readonly requests: string[] = []
  readonly participants = new Map<string, FakeParticipant>()
  readonly rooms = new Set<string>()
  /** True to answer every request with an error. */
  isAway = false
  /** The next change of rights waits for it. */
  #beforeUpdate: Promise<void> | undefined
  sendWebhook: (webhook: SentWebhook) => Promise<void> = async () => undefined
  readonly #server
  readonly #verifier: TokenVerifier

  private constructor(server: ReturnType<typeof createServer>) {
    const { port } = portOf(server)
    this.settings = { url: `ws://127.0.0.1:${port}`, apiKey: 'key', apiSecret: 'secret'.repeat(8) }
    this.#verifier = new TokenVerifier(this.settings.apiKey, this.settings.apiSecret)
    this.#server = server
    server.on('request', (request, response) => this.#answer(request, response))
  }

  static async start(): Promise<FakeLiveKit> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new FakeLiveKit(server)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Connects a client with its token. It replaces a client with the same identity. */
  async connect(token: string): Promise<FakeParticipant> {
    const { sub: identity = '', video } = await this.#verifier.verify(token, 0)
    if (!video?.roomJoin || !video.room) throw new Error('the token lets nobody join')
    const { room, canPublish, canPublishSources = [], canSubscribe } = video
    const mayBeHeard = canPublishSources.map(String).includes('microphone')
    await this.disconnect(identity)
    const permission = { canPublish, canSubscribe }
    const participant = { sid: `PA_${randomUUID()}`, identity, room, permission, track: newTrack(mayBeHeard) }
    this.rooms.add(room)
    this.participants.set(identity, participant)
    await this.#tell('participant_joined', participant)
    return participant
  }

  async disconnect(identity: string): Promise<void> {
    const participant = this.participants.get(identity)
    if (participant === undefined) return
    this.participants.delete(identity)
    await this.#tell('participant_left', participant)
  }

  /** Returns the identities of the clients that a client can hear. */
  heardBy({ identity, room, permission }: FakeParticipant): string[] {
    if (this.participants.get(identity)?.room !== room || !permission.canSubscribe) return []
    return [...this.participants.values()]
      .filter((other) => other.room === room && other.identity !== identity && other.track?.muted === false)
      .map((other) => other.identity)
  }

  async webhookOf(
    event: string,
    room: string,
    { sid, identity }: Pick<FakeParticipant, 'sid' | 'identity'>,
  ): Promise<SentWebhook> {
    const body = JSON.stringify({
      event,
      id: randomUUID(),
      room: { name: room },
      participant: { sid, identity },
    })
    const token = new AccessToken(this.settings.apiKey, this.settings.apiSecret, { ttl: 300 })
    token.sha256 = createHash('sha256').update(body).digest('base64')
    return { body, token: await token.toJwt() }
  }

  async #tell(event: string, participant: FakeParticipant): Promise<void> {
    await this.sendWebhook(await this.webhookOf(event, participant.room, participant))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, answer] = await this.#perform(request).then(
      (result) => [200, result] as const,
      (error: unknown) => {
        const { status, code } = error instanceof Refusal ? error : new Refusal(400, 'malformed')
        return [status, { code, msg: String(error) }] as const
      },
    )
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  async #perform(request: IncomingMessage): Promise<object> {
    if (this.isAway) throw new Refusal(503, 'unavailable')
    const method = /^\/twirp\/livekit\.RoomService\/(\w+)$/.exec(request.url ?? '')?.[1] ?? ''
    const body: unknown = await json(request)
    this.requests.push(`${method} ${JSON.stringify(body)}`)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const { video } = await this.#verifier.verify(token, 0).catch((): ClaimGrants => {
      throw new Refusal(401, 'unauthenticated')
    })
    checkGrant(method, video, body)
    if (method === 'CreateRoom') return this.#createRoom(body)
    if (method === 'ListRooms') return this.#listRooms(body)
    if (method === 'DeleteRoom') return this.#deleteRoom(body)
    if (method === 'ListParticipants') return { participants: this.#in(Parse(OfRoom, body).room).map(shown) }
    if (method === 'RemoveParticipant') return this.#remove(body)
    if (method === 'UpdateParticipant') return this.#updateLater(body)
    if (method === 'MutePublishedTrack') return this.#mute(body)
    throw new Refusal(404, 'bad_route')
  }

  #createRoom(body: unknown): object {
    const { name } = Parse(Type.Object({ name: Type.String({ minLength: 1 }) }), body)
    this.rooms.add(name)
    return { name, sid: `RM_${name}` }
  }

  #listRooms(body: unknown): object {
    const { names = [] } = Parse(Type.Object({ names: Type.Optional(Type.Array(Type.String())) }), body)
    const found = [...this.rooms].filter((name) => names.length === 0 || names.includes(name))
    return { rooms: found.map((name) => ({ name, numParticipants: this.#in(name).length })) }
  }

  async #deleteRoom(body: unknown): Promise<object> {
    const { room } = Parse(OfRoom, body)
    if (!this.rooms.delete(room)) throw new Refusal(404, 'not_found')
    for (const { identity } of this.#in(room)) await this.disconnect(identity)
    return {}
  }

  async #remove(body: unknown): Promise<object> {
    const { identity } = this.#find(body)
    await this.disconnect(identity)
    return {}
  }

  /** Delays the next change of rights until the returned function is called. */
  holdUpdate(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#beforeUpdate = promise
    return resolve
  }

  async #updateLater(body: unknown): Promise<object> {
    const before = this.#beforeUpdate
    this.#beforeUpdate = undefined
    await before
    return this.#update(body)
  }

  #update(body: unknown): object {
    const participant = this.#find(body)
    const { permission } = Parse(Type.Object({ permission: Permission }), body)
    participant.permission = permission
    // A client that may publish again publishes a new track.
    if (permission.canPublish) participant.track = newTrack(true)
    return shown(participant)
  }

  #mute(body: unknown): object {
    const { trackSid, muted } = Parse(Type.Object({ trackSid: Type.String(), muted: Type.Boolean() }), body)
    const { track } = this.#find(body)
    if (track?.sid !== trackSid) throw new Refusal(404, 'not_found')
    track.muted = muted
    return { track }
  }

  #find(body: unknown): FakeParticipant {
    const { room, identity } = Parse(OfParticipant, body)
    const participant = this.participants.get(identity)
    if (participant?.room !== room) throw new Refusal(404, 'not_found')
    return participant
  }

  #in(room: string): FakeParticipant[] {
    return [...this.participants.values()].filter((participant) => participant.room === room)
  }
}

/** Grants that LiveKit requires in the token of each request. */
const neededGrants: Record<string, 'roomCreate' | 'roomList' | 'roomAdmin'> = {
  CreateRoom: 'roomCreate',
  DeleteRoom: 'roomCreate',
  ListRooms: 'roomList',
  ListParticipants: 'roomAdmin',
  RemoveParticipant: 'roomAdmin',
  UpdateParticipant: 'roomAdmin',
  MutePublishedTrack: 'roomAdmin',
}

function checkGrant(method: string, video: ClaimGrants['video'], body: unknown): void {
  const needed = neededGrants[method]
  if (needed === undefined) throw new Refusal(404, 'bad_route')
  const isElsewhere = needed === 'roomAdmin' && Parse(OfRoom, body).room !== video?.room
  if (video?.[needed] !== true || isElsewhere) throw new Refusal(403, 'permission_denied')
}

function shown({ sid, identity, permission, track }: FakeParticipant): object {
  return { sid, identity, permission, tracks: track === undefined ? [] : [track] }
}

function newTrack(canPublish: boolean | undefined): FakeParticipant['track'] {
  return canPublish ? { sid: `TR_${randomUUID()}`, source: 'MICROPHONE', muted: false } : undefined
}

function portOf(server: ReturnType<typeof createServer>): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address
}
