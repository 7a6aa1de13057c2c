import type { ReceivedLayer, WatchedPicture } from '@foyer/protocol/voice'
import type { ReceivedPicture, SentPictures } from './pictures.ts'
import { type MediaRoute, routeOf } from './route.ts'
import type { Stat, StatsReport } from './stats.ts'

type Source = WatchedPicture['source']

/** Figures of one picture. Values that the browser does not measure are undefined. */
interface PictureNumbers {
  readonly source: Source
  readonly width: number | undefined
  readonly height: number | undefined
  /** Name of the codec in SDP, such as `VP8`. */
  readonly codec: string | undefined
  readonly framesPerSecond: number | undefined
  /** Bitrate since the last measurement; undefined in the first measurement. */
  readonly bitsPerSecond: number | undefined
}

export interface ReceivedNumbers extends PictureNumbers {
  readonly user_id: string
  /** Received simulcast layer; undefined while it is unknown, and for a picture sent in one layer. */
  readonly layer: ReceivedLayer | undefined
  /** Share of packets lost since the last measurement. */
  readonly lossPercent: number
  /** Average time that frames wait in the jitter buffer of this browser. */
  readonly delayMs: number | undefined
}

/** One simulcast layer of the user's own picture. */
export interface SentNumbers extends PictureNumbers {
  readonly rid: string | undefined
  /** Reason why the layer is smaller or slower than wanted; undefined if it is not. */
  readonly limit: 'bandwidth' | 'cpu' | undefined
}

export interface CallNumbers extends MediaRoute {
  readonly received: readonly ReceivedNumbers[]
  readonly sent: readonly SentNumbers[]
}

export interface KnownPictures {
  readonly received: readonly ReceivedPicture[]
  readonly sent: SentPictures
}

/** Measures the video streams over the time since the previous measurement, and reads the current network path of the media. */
export class NumbersMeter {
  #before: ReadonlyMap<string, Stat> = new Map()

  measure(report: StatsReport, known: KnownPictures): CallNumbers {
    const stats = new Map(report)
    const before = this.#before
    this.#before = stats
    const video = [...stats].filter(([, { kind }]) => kind === 'video')
    return {
      ...routeOf(stats),
      received: video.flatMap(([id, stat]) => {
        const picture = known.received.find(({ track }) => track.id === stat.trackIdentifier)
        const isReceived = stat.type === 'inbound-rtp' && picture !== undefined
        return isReceived ? [receivedOf(picture, stat, { stats, before: before.get(id) })] : []
      }),
      sent: video
        .flatMap(([id, stat]) => {
          const source = sourceOf(stats.get(stat.mediaSourceId ?? ''), known.sent)
          const isSent = stat.type === 'outbound-rtp' && stat.active !== false && source !== undefined
          return isSent ? [sentOf(source, stat, { stats, before: before.get(id) })] : []
        })
        .sort((one, other) => (one.height ?? 0) - (other.height ?? 0)),
    }
  }
}

/** All current statistics, and the statistics of the stream in the previous measurement. */
interface Measurement {
  readonly stats: ReadonlyMap<string, Stat>
  readonly before: Stat | undefined
}

function receivedOf(
  { user_id, source, layer }: ReceivedPicture,
  now: Stat,
  { stats, before = {} }: Measurement,
): ReceivedNumbers {
  const lost = Math.max(0, rise(now, before, 'packetsLost'))
  const arrived = Math.max(0, rise(now, before, 'packetsReceived'))
  const frames = rise(now, before, 'jitterBufferEmittedCount')
  return {
    user_id,
    layer,
    ...pictureOf(source, now, stats),
    bitsPerSecond: bitsPerSecond(now, before, 'bytesReceived'),
    lossPercent: lost === 0 ? 0 : (lost / (lost + arrived)) * 100,
    delayMs: frames <= 0 ? undefined : (rise(now, before, 'jitterBufferDelay') / frames) * 1000,
  }
}

function sentOf(source: Source, now: Stat, { stats, before = {} }: Measurement): SentNumbers {
  const reason = now.qualityLimitationReason
  return {
    ...pictureOf(source, now, stats),
    bitsPerSecond: bitsPerSecond(now, before, 'bytesSent'),
    rid: now.rid,
    limit: reason === 'cpu' || reason === 'bandwidth' ? reason : undefined,
  }
}

function pictureOf(source: Source, now: Stat, stats: ReadonlyMap<string, Stat>) {
  const { frameWidth: width, frameHeight: height, framesPerSecond } = now
  const codec = stats.get(now.codecId ?? '')?.mimeType?.replace('video/', '')
  return { source, width, height, codec, framesPerSecond }
}

/** @param origin the statistics of the track before encoding (`media-source`) */
function sourceOf(origin: Stat | undefined, { camera, screen }: SentPictures): Source | undefined {
  const id = origin?.trackIdentifier
  if (id === undefined) return undefined
  if (id === camera?.id) return 'camera'
  return id === screen?.id ? 'screen' : undefined
}

function bitsPerSecond(now: Stat, before: Stat, name: 'bytesReceived' | 'bytesSent'): number | undefined {
  const seconds = rise(now, before, 'timestamp') / 1000
  if (before.timestamp === undefined || seconds <= 0) return undefined
  return Math.max(0, (rise(now, before, name) * 8) / seconds)
}

type Count =
  | 'timestamp'
  | 'bytesReceived'
  | 'bytesSent'
  | 'packetsLost'
  | 'packetsReceived'
  | 'jitterBufferDelay'
  | 'jitterBufferEmittedCount'

function rise(now: Stat, before: Stat, name: Count): number {
  return (now[name] ?? 0) - (before[name] ?? 0)
}
