import type { LocalTrackPublication, Participant, Room } from 'livekit-client'
import type { BrowserDriver, HearingEvents } from './browser-driver.ts'
import type { DriverEvents } from './driver.ts'
import { QualityMeter } from './quality.ts'
import type { VoiceQuality, VoiceStream } from './status.ts'

/** What is used of the library. */
export type LiveKitModule = Pick<typeof import('livekit-client'), 'Room' | 'RoomEvent' | 'Track'>

export interface LiveKitOptions {
  readonly url: string
  readonly token: string
  readonly track: MediaStreamTrack | null
  readonly load: () => Promise<LiveKitModule>
  readonly events: DriverEvents & HearingEvents
}

/** Media by a LiveKit, whose library makes offers and comes back after a change of networks by itself. */
export class LiveKitDriver implements BrowserDriver {
  readonly mendsItself = true
  readonly #options: LiveKitOptions
  readonly #meter = new QualityMeter()
  #wanted: MediaStreamTrack | null
  #joined: { room: Room; module: LiveKitModule } | undefined
  #publication: LocalTrackPublication | undefined
  #sending: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: LiveKitOptions) {
    this.#options = options
    this.#wanted = options.track
    this.#start().catch(() => this.#lose())
  }

  /** LiveKit needs neither of these signals. */
  takeAnswer(): void {}

  takeSlots(): void {}

  send(track: MediaStreamTrack | null): Promise<void> {
    this.#wanted = track
    // One after the other: the library must not publish twice.
    this.#sending = this.#sending.then(() => this.#publish()).catch(() => undefined)
    return this.#sending
  }

  async quality(): Promise<VoiceQuality | undefined> {
    const { room } = this.#joined ?? {}
    if (room === undefined || this.#isClosed) return undefined
    const tracks = [this.#publication?.track, ...publicationsOf(room).map(({ track }) => track)]
    const reports = await Promise.all(tracks.map((track) => track?.getRTCStatsReport()))
    return this.#meter.measure(reports.flatMap((report) => (report === undefined ? [] : [...report])))
  }

  close(): void {
    this.#isClosed = true
    this.#joined?.room.disconnect(false).catch(() => undefined)
  }

  async #start(): Promise<void> {
    const { url, token, load, events } = this.#options
    const module = await load().catch(() => undefined)
    if (this.#isClosed) return
    if (module === undefined) return events.fail('unavailable')
    const room = new module.Room({
      stopLocalTrackOnUnpublish: false,
      publishDefaults: { dtx: true, red: true },
    })
    this.#joined = { room, module }
    this.#listen(room, module)
    await room.connect(url, token)
    if (this.#isClosed) return
    events.up()
    await this.send(this.#wanted)
  }

  #listen(room: Room, { RoomEvent }: LiveKitModule): void {
    const { events } = this.#options
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
    const { room, module } = this.#joined ?? {}
    if (room === undefined || module === undefined || this.#isClosed) return
    const { localParticipant } = room
    const source = module.Track.Source.Microphone
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

/** Participants have the id of the session, and that of the user in the token. */
function userOf({ attributes }: Participant): string[] {
  return attributes.user_id === undefined ? [] : [attributes.user_id]
}
