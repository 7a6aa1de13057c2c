import type { LocalTrackPublication, Participant, Room } from 'livekit-client'
import type { LiveKitModule, LiveKitOptions } from './livekit-options.ts'
import { QualityMeter } from './quality.ts'
import type { VoiceQuality } from './status.ts'
import type { VoiceStream } from './stream.ts'

type RoomOptions = Pick<LiveKitOptions, 'url' | 'token' | 'track' | 'events'>

/** One connection to a LiveKit server, through its library. */
export class LiveKitRoom {
  readonly #options: RoomOptions
  readonly #module: LiveKitModule
  readonly #room: Room
  readonly #meter = new QualityMeter()
  #wanted: MediaStreamTrack | null
  #publication: LocalTrackPublication | undefined
  #sending: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(module: LiveKitModule, options: RoomOptions) {
    this.#options = options
    this.#module = module
    this.#wanted = options.track
    this.#room = new module.Room({
      stopLocalTrackOnUnpublish: false,
      publishDefaults: { dtx: true, red: true },
    })
    this.#listen()
    this.#connect().catch(() => this.#lose())
  }

  send(track: MediaStreamTrack | null): Promise<void> {
    this.#wanted = track
    // Sequential, because the library must not publish twice.
    this.#sending = this.#sending.then(() => this.#publish()).catch(() => undefined)
    return this.#sending
  }

  async quality(): Promise<VoiceQuality | undefined> {
    if (this.#isClosed) return undefined
    const tracks = [this.#publication?.track, ...publicationsOf(this.#room).map(({ track }) => track)]
    const reports = await Promise.all(tracks.map((track) => track?.getRTCStatsReport()))
    return this.#meter.measure(reports.flatMap((report) => (report === undefined ? [] : [...report])))
  }

  close(): void {
    this.#isClosed = true
    this.#room.disconnect(false).catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const { url, token, events } = this.#options
    await this.#room.connect(url, token)
    if (this.#isClosed) return
    events.up()
    await this.send(this.#wanted)
  }

  #listen(): void {
    const { RoomEvent } = this.#module
    const { events } = this.#options
    const room = this.#room
    const tellStreams = () => this.#isClosed || events.streams(streamsOf(room))
    room.on(RoomEvent.TrackSubscribed, tellStreams)
    room.on(RoomEvent.TrackUnsubscribed, tellStreams)
    room.on(
      RoomEvent.ActiveSpeakersChanged,
      (speakers) => this.#isClosed || events.speaking(speakers.flatMap(userOf)),
    )
    room.on(RoomEvent.ParticipantPermissionsChanged, () => void this.send(this.#wanted))
    room.on(RoomEvent.Disconnected, () => this.#lose())
  }

  async #publish(): Promise<void> {
    if (this.#isClosed) return
    const { localParticipant } = this.#room
    const source = this.#module.Track.Source.Microphone
    this.#publication = localParticipant.getTrackPublication(source)
    if (this.#wanted === null) {
      await this.#publication?.mute()
    } else if (this.#publication?.audioTrack !== undefined) {
      await this.#publication.audioTrack.replaceTrack(this.#wanted, true)
      await this.#publication.unmute()
    } else if (localParticipant.permissions?.canPublish !== false) {
      this.#publication = await localParticipant.publishTrack(this.#wanted, { source })
    }
  }

  #lose(): void {
    if (!this.#isClosed) this.#options.events.lost()
  }
}

function streamsOf(room: Room): VoiceStream[] {
  return [...room.remoteParticipants.values()].flatMap((participant) =>
    userOf(participant).flatMap((user_id) =>
      [...participant.audioTrackPublications.values()].flatMap(({ track }) =>
        track === undefined ? [] : [{ user_id, track: track.mediaStreamTrack }],
      ),
    ),
  )
}

function publicationsOf(room: Room) {
  return [...room.remoteParticipants.values()].flatMap(({ audioTrackPublications }) => [
    ...audioTrackPublications.values(),
  ])
}

/** Participants are identified by session id. The token adds the user id as an attribute. */
function userOf({ attributes }: Participant): string[] {
  return attributes.user_id === undefined ? [] : [attributes.user_id]
}
