import type { LocalTrackPublication, Room, Track } from 'livekit-client'
import type { LiveKitModule, LiveKitOptions } from './livekit-options.ts'
import { LiveKitPictures } from './livekit-pictures.ts'
import { userOf } from './livekit-user.ts'
import { QualityMeter } from './quality.ts'
import type { StatsReport } from './stats.ts'
import type { VoiceQuality } from './status.ts'
import type { VoiceStream } from './stream.ts'

type RoomOptions = Pick<LiveKitOptions, 'url' | 'token' | 'track' | 'events'>

/** One connection to a LiveKit server, through its library. */
export class LiveKitRoom {
  readonly pictures: LiveKitPictures
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
    this.pictures = new LiveKitPictures(module, this.#room)
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
    return this.#meter.measure(await reportOf(tracks))
  }

  async stats(): Promise<StatsReport | undefined> {
    if (this.#isClosed) return undefined
    const { localParticipant, remoteParticipants } = this.#room
    const everyone = [localParticipant, ...remoteParticipants.values()]
    return reportOf(
      everyone.flatMap(({ trackPublications }) => [...trackPublications.values()].map(({ track }) => track)),
    )
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
    this.pictures.subscribe()
    this.pictures.sendAgain()
    await this.send(this.#wanted)
  }

  #listen(): void {
    const { RoomEvent } = this.#module
    const { events } = this.#options
    const room = this.#room
    const notifyStreams = () => {
      if (this.#isClosed) return
      events.streams(streamsOf(room, this.#module.Track.Source.ScreenShareAudio))
      events.pictures(this.pictures.received)
    }
    room.on(RoomEvent.TrackPublished, () => this.pictures.subscribe())
    room.on(RoomEvent.TrackSubscribed, () => {
      // Subscribes again, because a picture's size can be requested only after its track has arrived.
      this.pictures.subscribe()
      notifyStreams()
    })
    room.on(RoomEvent.TrackUnsubscribed, notifyStreams)
    room.on(
      RoomEvent.ActiveSpeakersChanged,
      (speakers) => this.#isClosed || events.speaking(speakers.flatMap(userOf)),
    )
    room.on(RoomEvent.ParticipantPermissionsChanged, () => {
      void this.send(this.#wanted)
      this.pictures.sendAgain()
    })
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

async function reportOf(tracks: readonly (Track | undefined)[]): Promise<StatsReport> {
  const reports = await Promise.all(tracks.map((track) => track?.getRTCStatsReport()))
  return reports.flatMap((report) => (report === undefined ? [] : [...report]))
}

/** Returns the received voices. @param screenSound the track source to leave out */
function streamsOf(room: Room, screenSound: Track.Source): VoiceStream[] {
  return [...room.remoteParticipants.values()].flatMap((participant) =>
    userOf(participant).flatMap((user_id) =>
      [...participant.audioTrackPublications.values()].flatMap(({ track, source }) =>
        track === undefined || source === screenSound ? [] : [{ user_id, track: track.mediaStreamTrack }],
      ),
    ),
  )
}

function publicationsOf(room: Room) {
  return [...room.remoteParticipants.values()].flatMap(({ audioTrackPublications }) => [
    ...audioTrackPublications.values(),
  ])
}
