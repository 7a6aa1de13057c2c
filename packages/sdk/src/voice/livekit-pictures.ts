import type { WatchedPicture } from '@foyer/protocol/voice'
import type { Participant, RemoteTrackPublication, Room, Track, VideoQuality } from 'livekit-client'
import type { LiveKitModule } from './livekit-options.ts'
import { userOf } from './livekit-user.ts'
import { shapeOf } from './picture-shape.ts'
import { NOTHING_SENT, type ReceivedPictures, type SentPictures } from './pictures.ts'

const KINDS = ['camera', 'screen', 'sound'] as const satisfies readonly (keyof SentPictures)[]
type Kind = (typeof KINDS)[number]

/** The cameras and screens of one connection to a LiveKit server. */
export class LiveKitPictures {
  readonly #sources: Readonly<Record<Kind, Track.Source>>
  readonly #fullQuality: VideoQuality
  readonly #room: Room
  readonly #published = new Map<Kind, MediaStreamTrack>()
  #wanted = NOTHING_SENT
  #watched: readonly WatchedPicture[] = []
  #isDeaf = false
  #sending: Promise<void> = Promise.resolve()

  constructor({ Track: { Source }, VideoQuality }: LiveKitModule, room: Room) {
    this.#fullQuality = VideoQuality.HIGH
    this.#room = room
    this.#sources = { camera: Source.Camera, screen: Source.ScreenShare, sound: Source.ScreenShareAudio }
  }

  send(wanted: SentPictures): Promise<void> {
    this.#wanted = wanted
    // Sequential, because the library must not publish a track twice.
    this.#sending = this.#sending.then(() => this.#publishAll())
    return this.#sending
  }

  /** Publishes the tracks that the server did not allow before. */
  sendAgain(): void {
    void this.send(this.#wanted)
  }

  watch(watched: readonly WatchedPicture[]): void {
    this.#watched = watched
    this.subscribe()
  }

  setDeaf(isDeaf: boolean): void {
    if (isDeaf === this.#isDeaf) return
    this.#isDeaf = isDeaf
    this.subscribe()
  }

  /** Subscribes to voices and watched pictures, and to no sound while the user is deafened. */
  subscribe(): void {
    for (const participant of this.#room.remoteParticipants.values())
      for (const publication of publicationsOf(participant)) this.#subscribeTo(participant, publication)
  }

  get received(): ReceivedPictures {
    const arriving = this.#remote().flatMap(({ publication: { track }, ...rest }) =>
      track === undefined ? [] : [{ ...rest, track: track.mediaStreamTrack }],
    )
    return {
      pictures: arriving.flatMap(({ user_id, kind, track }) =>
        kind === 'sound' ? [] : [{ user_id, source: kind, track }],
      ),
      sounds: arriving.flatMap(({ user_id, kind, track }) => (kind === 'sound' ? [{ user_id, track }] : [])),
    }
  }

  /** @param kind undefined for a voice */
  #isWanted(participant: Participant, kind: Kind | undefined): boolean {
    const isSound = kind === undefined || kind === 'sound'
    if (isSound && this.#isDeaf) return false
    if (kind === undefined) return true
    const [userId] = userOf(participant)
    const source = kind === 'camera' ? 'camera' : 'screen'
    return this.#watched.some((one) => one.user_id === userId && one.source === source)
  }

  /** Subscribes or unsubscribes only on a change, because the library sends a message for each call. */
  #subscribeTo(participant: Participant, publication: RemoteTrackPublication): void {
    const isWanted = this.#isWanted(participant, this.#kindOf(publication.source))
    if (publication.isDesired !== isWanted) publication.setSubscribed(isWanted)
    const watched = this.#watched.find(
      ({ user_id, source }) =>
        user_id === userOf(participant)[0] && source === this.#kindOf(publication.source),
    )
    if (isWanted && watched !== undefined) resize(publication, watched, this.#fullQuality)
  }

  async #publishAll(): Promise<void> {
    // An error of one track does not stop the others: the server may allow only some of them.
    for (const kind of KINDS) await this.#publish(kind).catch(() => undefined)
  }

  async #publish(kind: Kind): Promise<void> {
    const { localParticipant } = this.#room
    const [wanted, published] = [this.#wanted[kind], this.#published.get(kind)]
    // After a lost permission, the publication of a track is muted or gone: the track must be published again.
    const held = published && localParticipant.getTrackPublication(this.#sources[kind])
    if (wanted === (published ?? null) && (wanted === null || held?.isMuted === false)) return
    if (published !== undefined) {
      this.#published.delete(kind)
      await localParticipant.unpublishTrack(published, false)
    }
    // Before the connection there are no permissions, and nothing can be published.
    if (wanted === null || localParticipant.permissions?.canPublish !== true) return
    await localParticipant.publishTrack(wanted, { source: this.#sources[kind], ...optionsOf(kind, wanted) })
    this.#published.set(kind, wanted)
  }

  #remote(): { user_id: string; publication: RemoteTrackPublication; kind: Kind }[] {
    return [...this.#room.remoteParticipants.values()].flatMap((participant) =>
      userOf(participant).flatMap((user_id) =>
        publicationsOf(participant).flatMap((publication) => {
          const kind = this.#kindOf(publication.source)
          return kind === undefined ? [] : [{ user_id, publication, kind }]
        }),
      ),
    )
  }

  #kindOf(source: Track.Source): Kind | undefined {
    return KINDS.find((kind) => this.#sources[kind] === source)
  }
}

function publicationsOf(participant: Participant): RemoteTrackPublication[] {
  return [...participant.trackPublications.values()].filter(isRemote)
}

/** Returns true for another user's publication: only those can be subscribed to. */
function isRemote(publication: object): publication is RemoteTrackPublication {
  return 'setSubscribed' in publication
}

/** Requests the layer that fits the displayed height. A hidden picture (height 0) is not sent at all. */
function resize(
  publication: RemoteTrackPublication,
  { height }: WatchedPicture,
  fullQuality: VideoQuality,
): void {
  const isShown = height !== 0
  if (publication.isEnabled === !isShown) publication.setEnabled(isShown)
  // Before the track exists, the library would forget the size and request the full size.
  if (publication.track === undefined) return
  if (height) publication.setVideoDimensions({ width: Math.ceil((height * 16) / 9), height })
  else if (isShown) publication.setVideoQuality(fullQuality)
}

function optionsOf(kind: Kind, track: MediaStreamTrack) {
  if (kind === 'sound') return { dtx: false, red: false }
  const { maxBitrate, degradationPreference } = shapeOf(kind, track)
  const encoding = { maxBitrate, maxFramerate: 30 }
  const name = kind === 'camera' ? 'videoEncoding' : 'screenShareEncoding'
  return { videoCodec: 'vp8' as const, degradationPreference, [name]: encoding }
}
