import type { PictureCodec, VoiceSignal, WatchedPicture } from '@foyer/protocol/voice'
import type { Client } from '@foyer/sdk/client'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { makeOffer } from './picture-offer.ts'
import type { Settled } from './settled.ts'

/** A video as the page has decoded it. */
export interface Decoded {
  readonly frames: number
  readonly width: number
  readonly height: number
}

declare global {
  interface Window {
    peer: RTCPeerConnection
    senders: Record<'microphone' | 'sound' | 'camera' | 'screen', RTCRtpSender>
    /** Receivers by slot. */
    received: Record<'voices' | 'sounds' | 'pictures', RTCRtpReceiver[]>
  }
}

/** Default size of the browser's fake camera, in pixels. */
export const CAMERA = { width: 640, height: 480 }
export const SCREEN = { width: 960, height: 540 }
/** A camera that is large enough for three layers. */
export const LARGE_CAMERA = { width: 1280, height: 720 }
const LAYERS: RTCRtpEncodingParameters[] = [
  { rid: 'q', scaleResolutionDownBy: 4, maxBitrate: 150_000 },
  { rid: 'h', scaleResolutionDownBy: 2, maxBitrate: 500_000 },
  { rid: 'f', maxBitrate: 1_700_000 },
]
const SLOTS = 8
const SOUNDS = 2

interface JoinOptions {
  /** False for an offer like those of old clients without video. */
  readonly hasVideo?: boolean
  /** True to send the camera in three sizes. */
  readonly hasLayers?: boolean
  /** Video codecs that the page offers. */
  readonly codecs?: readonly string[]
  /** Changes the server's answer. */
  readonly rewrite?: (answer: string) => string | Promise<string>
}

/**
 * A page that uses voice without the web client, with only the wire protocol: the page makes its own offer, and the SDK client
 * of its user sends op 4 and op 5.
 */
export class PicturePeer {
  readonly id: string
  readonly signals: VoiceSignal[] = []
  readonly errors: string[] = []
  readonly #page: Page
  readonly #client: Client
  readonly #place: { room_id: string }
  #sessionId = ''

  constructor({ person, client, id }: Settled, roomId: string) {
    this.id = id
    this.#page = person.page
    this.#client = client
    this.#place = { room_id: roomId }
    client.gateway.onVoiceSignal((signal) => this.signals.push(signal))
    client.gateway.onError(({ code }) => this.errors.push(code))
  }

  /** Joins, and resolves when media flows. */
  async join({
    hasVideo = true,
    hasLayers = false,
    codecs = ['VP8'],
    rewrite = (sdp) => sdp,
  }: JoinOptions = {}): Promise<void> {
    const { gateway } = this.#client
    if (gateway.state === 'idle') gateway.connect()
    await eventually(() => gateway.state, 'ready')
    gateway.sendVoiceState({ ...this.#place, session_id: null })
    await eventually(() => this.#last('grant') !== undefined, true)
    this.#sessionId = this.#last('grant')?.session_id ?? ''
    const layers = hasLayers ? LAYERS : []
    const sizes = { slots: SLOTS, sounds: SOUNDS }
    const sdp = await this.#page.evaluate(makeOffer, { hasVideo, layers, codecs, ...sizes })
    gateway.sendVoiceSignal({ kind: 'offer', session_id: this.#sessionId, sdp })
    await eventually(() => this.#last('answer') !== undefined, true)
    await this.#page.evaluate(
      (answer) => window.peer.setRemoteDescription({ type: 'answer', sdp: answer }),
      await rewrite(this.#last('answer')?.sdp ?? ''),
    )
    await eventually(() => this.#page.evaluate(() => window.peer.connectionState), 'connected')
  }

  /** Leaves and closes the gateway: an open connection would keep the process of the test running. */
  leave(): void {
    this.#client.gateway.close()
  }

  setSelf(flags: { self_video?: boolean; self_stream?: boolean }): void {
    this.#client.gateway.sendVoiceState({ ...this.#place, session_id: this.#sessionId, ...flags })
  }

  watch(watched: readonly WatchedPicture[]): void {
    this.#client.gateway.sendVoiceSignal({
      kind: 'watch',
      session_id: this.#sessionId,
      watched: [...watched],
    })
  }

  /** Sends the fake camera or microphone of the browser. */
  async send(line: 'microphone' | 'camera' | 'sound', size = CAMERA): Promise<void> {
    await this.#page.evaluate(
      async ([name, { width, height }]) => {
        const wanted = name === 'camera' ? { video: { width, height, frameRate: 15 } } : { audio: true }
        const [track] = (await navigator.mediaDevices.getUserMedia(wanted)).getTracks()
        await window.senders[name].replaceTrack(track ?? null)
      },
      [line, size] as const,
    )
  }

  /** Sends the camera in this codec from now on. The answer must contain it. */
  async encodeAs(codec: PictureCodec): Promise<void> {
    await this.#page.evaluate(async (name) => {
      const sender = window.senders.camera
      const parameters = sender.getParameters()
      const found = parameters.codecs.find(({ mimeType }) => mimeType === `video/${name}`)
      if (found === undefined) throw new Error(`${name} is not in the answer`)
      // Without a scalability mode, Chromium would send layers of VP9 as one stream.
      for (const encoding of parameters.encodings)
        Object.assign(encoding, { codec: found, scalabilityMode: 'L1T1' })
      await sender.setParameters(parameters)
    }, codec)
  }

  /** Codecs that the page may use for its pictures, according to the server's last signal. */
  get codecs(): readonly PictureCodec[] | undefined {
    return this.#last('codecs')?.codecs
  }

  /** Returns the codecs of the videos that the page receives. */
  receivedCodecs(): Promise<string[]> {
    return this.#page.evaluate(async () => {
      const stats = await window.peer.getStats()
      return [...stats.values()]
        .filter(
          ({ kind, type, framesPerSecond: rate }) => kind === 'video' && type === 'inbound-rtp' && rate > 0,
        )
        .map(({ codecId }) => String(stats.get(codecId)?.mimeType).replace('video/', ''))
    })
  }

  async stop(line: 'camera'): Promise<void> {
    await this.#page.evaluate((name) => window.senders[name].replaceTrack(null), line)
  }

  /** Returns the numbers of video frames that the page has sent and decoded. */
  frames(): Promise<{ sent: number; decoded: number }> {
    return this.#page.evaluate(async () => {
      const stats = [...(await window.peer.getStats()).values()].filter(({ kind }) => kind === 'video')
      const sum = (name: 'framesSent' | 'framesDecoded') =>
        stats.reduce((frames, stat) => frames + (stat[name] ?? 0), 0)
      return { sent: sum('framesSent'), decoded: sum('framesDecoded') }
    })
  }

  /** Sends an animated drawing as the screen. */
  async sendScreen(): Promise<void> {
    await this.#page.evaluate(async ({ width, height }) => {
      const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas')
      const pen = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null
      if (!(canvas instanceof HTMLCanvasElement) || !pen) throw new Error('the page cannot draw')
      Object.assign(canvas, { width, height })
      setInterval(() => {
        pen.fillStyle = `hsl(${performance.now() % 360} 50% 50%)`
        pen.fillRect(0, 0, width, height)
      }, 100)
      const [track] = canvas.captureStream(10).getVideoTracks()
      // With this hint, the video keeps its resolution even on a slow connection.
      if (track) track.contentHint = 'text'
      await window.senders.screen.replaceTrack(track ?? null)
    }, SCREEN)
  }

  /** Returns the videos in the slots, with the frames and the size that the page has decoded. */
  async seen(): Promise<(Decoded & WatchedPicture)[]> {
    const shown = new Map<number, WatchedPicture>()
    const changes = this.signals.flatMap((signal) => (signal.kind === 'pictures' ? signal.slots : []))
    for (const { slot, user_id, source } of changes) {
      if (user_id === null || source === null) shown.delete(slot)
      else shown.set(slot, { user_id, source })
    }
    const decoded = await this.#page.evaluate(readDecoded)
    return [...shown].map(([slot, picture]) => ({ ...picture, ...(decoded[slot] ?? NOTHING) }))
  }

  /** Returns the number of voices, or of screens with audio, of which packets have arrived. */
  heard(slots: 'voices' | 'sounds'): Promise<number> {
    return this.#page.evaluate(async (name) => {
      const reports = await Promise.all(window.received[name].map((receiver) => receiver.getStats()))
      return reports.filter((report) =>
        [...report.values()].some(
          ({ type, packetsReceived }) => type === 'inbound-rtp' && packetsReceived > 0,
        ),
      ).length
    }, slots)
  }

  /** Returns the number of packets of voices, or of screen audio, that have arrived. */
  arrived(slots: 'voices' | 'sounds'): Promise<number> {
    return this.#page.evaluate(async (name) => {
      const reports = await Promise.all(window.received[name].map((receiver) => receiver.getStats()))
      return reports
        .flatMap((report) => [...report.values()])
        .reduce((sum, { type, packetsReceived }) => sum + (type === 'inbound-rtp' ? packetsReceived : 0), 0)
    }, slots)
  }

  /** Plays the first voice, muted. */
  async playVoice(): Promise<void> {
    await this.#page.evaluate(async () => {
      const [voice] = window.received.voices
      const player = new Audio()
      player.muted = true
      player.srcObject = new MediaStream(voice === undefined ? [] : [voice.track])
      document.documentElement.append(player)
      await player.play()
    })
  }

  /** Counts the streams that have a recent sender report, and those whose playout time the page can estimate. */
  timed(slots: 'voices' | 'sounds' | 'pictures'): Promise<{ reported: number; aligned: number }> {
    return this.#page.evaluate(async (name) => {
      const reports = await Promise.all(window.received[name].map((receiver) => receiver.getStats()))
      const stats = reports.flatMap((report) => [...report.values()])
      const reported = stats.filter(
        ({ type, remoteTimestamp }) =>
          type === 'remote-outbound-rtp' && Math.abs(remoteTimestamp - Date.now()) < 60_000,
      )
      const aligned = stats.filter(({ estimatedPlayoutTimestamp }) => estimatedPlayoutTimestamp > 0)
      return { reported: reported.length, aligned: aligned.length }
    }, slots)
  }

  /** Returns the key frame requests, the retransmitted packets and the height of each layer of the page's camera. */
  asked(): Promise<Record<string, { keyFrames: number; repairs: number; height: number }>> {
    return this.#page.evaluate(async () => {
      const stats = [...(await window.senders.camera.getStats()).values()]
      return Object.fromEntries(
        stats
          .filter(({ type }) => type === 'outbound-rtp')
          .map(({ rid, pliCount, retransmittedPacketsSent, frameHeight }) => [
            rid,
            { keyFrames: pliCount, repairs: retransmittedPacketsSent, height: frameHeight },
          ]),
      )
    })
  }

  /** Returns the bytes of video that have arrived. */
  pictureBytes(): Promise<number> {
    return this.#page.evaluate(async () => {
      const stats = [...(await window.peer.getStats()).values()]
      return stats
        .filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')
        .reduce((sum, { bytesReceived }) => sum + bytesReceived, 0)
    })
  }

  /** Returns the browser's estimate of the bits per second that the page can send. */
  async bandwidth(): Promise<number> {
    return this.#page.evaluate(async () => {
      const pairs = [...(await window.peer.getStats()).values()].filter(
        ({ type }) => type === 'candidate-pair',
      )
      return Math.max(...pairs.map(({ availableOutgoingBitrate }) => availableOutgoingBitrate ?? 0))
    })
  }

  #last<Kind extends VoiceSignal['kind']>(kind: Kind): Extract<VoiceSignal, { kind: Kind }> | undefined {
    return this.signals.findLast(
      (signal): signal is Extract<VoiceSignal, { kind: Kind }> => signal.kind === kind,
    )
  }
}

const NOTHING: Decoded = { frames: 0, width: 0, height: 0 }

/** Returns the decoded frames and the size of each video of the page. Runs in the page. */
async function readDecoded(): Promise<Decoded[]> {
  const shown = [...document.getElementsByTagNameNS('http://www.w3.org/1999/xhtml', 'video')]
  return shown.map((element) => {
    if (!(element instanceof HTMLVideoElement)) return { frames: 0, width: 0, height: 0 }
    const { videoWidth, videoHeight } = element
    const { totalVideoFrames } = element.getVideoPlaybackQuality()
    return { frames: totalVideoFrames, width: videoWidth, height: videoHeight }
  })
}
