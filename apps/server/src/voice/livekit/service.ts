import type { ParticipantInfo, Room, RoomServiceClient } from 'livekit-server-sdk'
import type { LiveKitSettings } from '#src/config.ts'
import type { MediaRights, VoiceSession } from '../engine.ts'

const REQUEST_SECONDS = 5
/** Lifetime of a token: long enough to connect. LiveKit renews the tokens of connected participants. */
const TOKEN_SECONDS = 60
const EMPTY_ROOM_SECONDS = 60

interface Service {
  sdk: typeof import('livekit-server-sdk')
  client: RoomServiceClient
}

/** The part of LiveKit's API that we use. Missing rooms and participants count as ended. */
export class LiveKitService {
  readonly #settings: LiveKitSettings
  #loading: Promise<Service> | undefined

  constructor(settings: LiveKitSettings) {
    this.#settings = settings
  }

  /**
   * Creates a token. It carries the user's id, because other clients may learn late, or never, whose session this is.
   */
  async mintToken({ id, userId, place }: VoiceSession, rights: MediaRights): Promise<string> {
    const { sdk } = await this.#load()
    const { apiKey, apiSecret } = this.#settings
    const holder = { identity: id, attributes: { user_id: userId }, ttl: TOKEN_SECONDS }
    const token = new sdk.AccessToken(apiKey, apiSecret, holder)
    token.addGrant({ roomJoin: true, room: place.channelId, ...permissionsOf(sdk, rights) })
    return token.toJwt()
  }

  /** Creates the room, unless it exists. */
  async makeRoom(name: string): Promise<void> {
    const { client } = await this.#load()
    await client.createRoom({ name, emptyTimeout: EMPTY_ROOM_SECONDS })
  }

  async listRooms(names: string[]): Promise<Room[]> {
    const { client } = await this.#load()
    return names.length === 0 ? [] : client.listRooms(names)
  }

  async listParticipants(room: string): Promise<ParticipantInfo[]> {
    const { client } = await this.#load()
    return (await unlessGone(client.listParticipants(room))) ?? []
  }

  /** Changes what a participant may do, and mutes tracks that it may no longer publish. */
  async setRights({ id, place: { channelId } }: VoiceSession, rights: MediaRights): Promise<void> {
    const { sdk, client } = await this.#load()
    const permission = permissionsOf(sdk, rights)
    const participant = await unlessGone(client.updateParticipant(channelId, id, { permission }))
    if (participant === undefined) return
    const allowed = new Set(permission.canPublishSources)
    const taken = participant.tracks.filter(({ muted, source }) => !muted && !allowed.has(source))
    await Promise.all(taken.map(({ sid }) => unlessGone(client.mutePublishedTrack(channelId, id, sid, true))))
  }

  /** Removes a participant, and revokes its tokens. */
  async removeParticipant(room: string, identity: string): Promise<void> {
    const { client } = await this.#load()
    const revokeTokenTs = BigInt(Math.ceil(Date.now() / 1000) + 1)
    await unlessGone(client.removeParticipant(room, identity, { revokeTokenTs }))
  }

  async deleteRoom(name: string): Promise<void> {
    const { client } = await this.#load()
    await unlessGone(client.deleteRoom(name))
  }

  #load(): Promise<Service> {
    this.#loading ??= this.#open()
    return this.#loading
  }

  /** Loads the SDK on demand: a server with the embedded engine does not need it. */
  async #open(): Promise<Service> {
    const sdk = await import('livekit-server-sdk')
    const { url, apiKey, apiSecret } = this.#settings
    const options = { requestTimeout: REQUEST_SECONDS, failover: false }
    return { sdk, client: new sdk.RoomServiceClient(url, apiKey, apiSecret, options) }
  }
}

function permissionsOf({ TrackSource }: Service['sdk'], rights: MediaRights) {
  const { canSpeak, canHear, isSelfDeaf, canUseVideo, canShareScreen, canShareSound } = rights
  const canPublishSources = [
    ...(canSpeak ? [TrackSource.MICROPHONE] : []),
    ...(canUseVideo ? [TrackSource.CAMERA] : []),
    ...(canShareScreen ? [TrackSource.SCREEN_SHARE] : []),
    ...(canShareSound ? [TrackSource.SCREEN_SHARE_AUDIO] : []),
  ]
  return {
    canPublish: canPublishSources.length > 0,
    canPublishSources,
    // LiveKit cannot withhold only audio. The client of a user who deafened themselves requests no audio.
    canSubscribe: canHear || isSelfDeaf,
    canPublishData: false,
  }
}

async function unlessGone<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'not_found') return undefined
    throw error
  })
}
