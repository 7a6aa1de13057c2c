import type { PictureCodec, PictureSlot, ScreenSoundSlot } from '@foyer/protocol/voice'
import { chooseCodec, encodesInHardware } from './picture-codecs.ts'
import { type PictureShape, shapeOf } from './picture-shape.ts'
import { NOTHING_SENT, type ReceivedPictures, type SentPictures } from './pictures.ts'

export interface Sender {
  replaceTrack(track: MediaStreamTrack | null): Promise<void>
  getParameters(): RTCRtpSendParameters
  setParameters(parameters: RTCRtpSendParameters): Promise<void>
}

/** The part of an RTCPeerConnection in use. */
export interface LineOpener {
  addTransceiver(
    track: MediaStreamTrack | 'audio' | 'video',
    init: { direction: 'sendonly' | 'recvonly'; sendEncodings?: RTCRtpEncodingParameters[] },
  ): { readonly sender: Sender; readonly receiver: { readonly track: MediaStreamTrack } }
}

/**
 * The m-lines of an offer for pictures, in the order in which the server reads them: the user's screen sound, the screen sounds
 * of others, the user's camera, the user's screen, and the pictures of others.
 */
export class PictureLines {
  readonly #soundSender: Sender
  readonly #cameraSender: Sender
  readonly #screenSender: Sender
  readonly #sounds: readonly MediaStreamTrack[]
  readonly #pictures: readonly MediaStreamTrack[]
  readonly #soundsTaken = new Map<number, string>()
  readonly #picturesTaken = new Map<number, Omit<PictureSlot, 'slot'> & { user_id: string }>()
  #sent = NOTHING_SENT
  #codecs: readonly PictureCodec[] = []
  #hasHardware: Promise<boolean> | undefined
  /** Resolved after the last change of each sender. */
  readonly #shaped = { camera: Promise.resolve(), screen: Promise.resolve() }

  constructor(peer: LineOpener, { slots, sounds }: { slots: number; sounds: number }) {
    const receive = (kind: 'audio' | 'video', count: number) =>
      Array.from({ length: count }, () => peer.addTransceiver(kind, { direction: 'recvonly' }).receiver.track)
    this.#soundSender = peer.addTransceiver('audio', { direction: 'sendonly' }).sender
    this.#sounds = receive('audio', sounds)
    this.#cameraSender = openPicture(peer, 'camera')
    this.#screenSender = openPicture(peer, 'screen')
    this.#pictures = receive('video', slots)
  }

  /** Sends the tracks, without a new offer. Tracks that are already sent are not replaced. */
  async send(wanted: SentPictures): Promise<void> {
    const before = this.#sent
    this.#sent = wanted
    await Promise.all([
      before.camera === wanted.camera || this.#sendPicture('camera', wanted.camera),
      before.screen === wanted.screen || this.#sendPicture('screen', wanted.screen),
      before.sound === wanted.sound || this.#soundSender.replaceTrack(wanted.sound),
    ])
  }

  /** Sets the bitrate limits again, because the answer may have refused the simulcast layers. */
  async reshape(): Promise<void> {
    await Promise.all([this.#shape('camera'), this.#shape('screen')])
  }

  /** Sends in one of these codecs from now on. Before the first call, the browser uses the first codec of the answer. */
  async takeCodecs(codecs: readonly PictureCodec[]): Promise<void> {
    this.#codecs = codecs
    await this.reshape()
  }

  take(pictures: readonly PictureSlot[], sounds: readonly ScreenSoundSlot[]): void {
    for (const { slot, user_id, ...rest } of pictures) {
      if (user_id === null) this.#picturesTaken.delete(slot)
      else this.#picturesTaken.set(slot, { ...rest, user_id })
    }
    for (const { slot, user_id } of sounds) {
      if (user_id === null) this.#soundsTaken.delete(slot)
      else this.#soundsTaken.set(slot, user_id)
    }
  }

  get received(): ReceivedPictures {
    const pictures = [...this.#picturesTaken].flatMap(([slot, { source, ...rest }]) => {
      const track = this.#pictures[slot]
      return track === undefined || source === null ? [] : [{ ...rest, source, track }]
    })
    const sounds = [...this.#soundsTaken].flatMap(([slot, user_id]) => {
      const track = this.#sounds[slot]
      return track === undefined ? [] : [{ user_id, track }]
    })
    return { pictures, sounds }
  }

  async #sendPicture(kind: Kind, track: MediaStreamTrack | null): Promise<void> {
    await this.#senderOf(kind).replaceTrack(track)
    await this.#shape(kind)
  }

  /** Shapes the picture after the current change of its sender, because browsers refuse a change during another. */
  #shape(kind: Kind): Promise<void> {
    const shapeNow = () => this.#shapeNow(kind)
    const shaped = this.#shaped[kind].then(shapeNow, shapeNow)
    this.#shaped[kind] = shaped
    return shaped
  }

  async #shapeNow(kind: Kind): Promise<void> {
    const track = this.#sent[kind]
    if (track === null) return
    const codec = await chooseCodec({ kind, contentHint: track.contentHint }, this.#codecs, () => {
      this.#hasHardware ??= encodesInHardware()
      return this.#hasHardware
    })
    const [sender, shape] = [this.#senderOf(kind), shapeOf(kind, track)]
    // If the browser refuses, sets only the limits and keeps the codec. If it refuses again, the picture has no limits.
    const isShaped = await shapePicture(sender, shape, codec)
    if (!isShaped && codec !== undefined) await shapePicture(sender, shape, undefined)
  }

  #senderOf(kind: Kind): Sender {
    return kind === 'camera' ? this.#cameraSender : this.#screenSender
  }

  close(): void {
    for (const track of [...this.#sounds, ...this.#pictures]) track.stop()
  }
}

type Kind = 'camera' | 'screen'

function openPicture(peer: LineOpener, kind: Kind): Sender {
  const { layers } = shapeOf(kind, { contentHint: '' })
  const sendEncodings = layers.map((layer) => ({ ...layer }))
  return peer.addTransceiver('video', { direction: 'sendonly', sendEncodings }).sender
}

/** Sets the bitrates and sizes, and the codec if there is one. @returns whether the browser accepted them */
async function shapePicture(
  sender: Sender,
  shape: PictureShape,
  codec: PictureCodec | undefined,
): Promise<boolean> {
  const { maxBitrate, layers, degradationPreference } = shape
  const parameters = sender.getParameters()
  // Browsers that cannot change the codec ignore this field.
  const named = parameters.codecs?.find(({ mimeType }) => mimeType === `video/${codec}`)
  // If the server refused simulcast, sends the full size: by itself, the browser would keep the smallest layer.
  const whole = { scaleResolutionDownBy: 1, maxBitrate }
  const encodings = parameters.encodings.map((encoding, _, { length }) => {
    const layer = layers.find(({ rid }) => rid === encoding.rid)
    return { ...encoding, ...(length === 1 ? whole : layer), ...(named && codedIn(named)) }
  })
  return sender.setParameters({ ...parameters, encodings, degradationPreference }).then(
    () => true,
    () => false,
  )
}

/** Without a mode, Chromium would send VP9 as one stream with spatial layers. */
function codedIn(codec: RTCRtpCodec) {
  const hasModes = codec.mimeType === 'video/VP9' || codec.mimeType === 'video/AV1'
  return { codec, ...(hasModes ? { scalabilityMode: 'L1T1' } : {}) }
}
