import type { PictureCodec } from '@foyer/protocol/voice'
import type { MediaRights, PictureChange, SlotChange, WatchedSource } from '../engine.ts'

/** Start options of an SFU process: its only argument, as JSON. */
export interface SfuOptions {
  /** UDP port; 0 takes a free one. */
  readonly port: number
  /** TCP port for clients whose networks forbid UDP; 0 takes a free one, undefined opens none. */
  readonly tcpPort?: number | undefined
  /** Addresses of this machine that clients are offered, the preferred one first. */
  readonly addresses: readonly string[]
  /** The part of `addresses` that the operator has configured. */
  readonly publicIps: readonly string[]
  /** Overrides of the default times. */
  readonly patience?: Patience
}

/** Times a client may keep an SFU process waiting, in milliseconds. */
export interface Patience {
  /** Time to wait for the offer. */
  readonly offerMs: number
  /** Time from the answer until media flows. */
  readonly mediaMs: number
  /** Time without any packet after which a client that sends RTCP counts as gone. */
  readonly silenceMs: number
}

/** Requests of the server to an SFU process, and their answers. A `roomId` can be any string. */
export interface SfuRequests {
  join: {
    given: { sessionId: string; roomId: string; userId: string; rights: MediaRights }
    answer: undefined
  }
  signal: { given: { sessionId: string; offer: string }; answer: { answer: string } }
  watch: { given: { sessionId: string; watched: readonly WatchedSource[] }; answer: undefined }
  setRights: { given: { sessionId: string; rights: MediaRights }; answer: undefined }
  kick: { given: { sessionId: string }; answer: undefined }
  closeRoom: { given: { roomId: string }; answer: undefined }
  stats: { given: Record<string, never>; answer: SfuStats }
  drain: { given: Record<string, never>; answer: undefined }
}
export type SfuRequestName = keyof SfuRequests

export interface SfuStats {
  readonly rooms: number
  readonly sessions: number
  readonly pictures: number
  readonly packetsForwarded: number
  readonly packetsDropped: number
  readonly tcpConnections: number
  readonly residentBytes: number
}

/** Reasons for a refusal, which the server turns into an ApiError. */
export type SfuRefusal = 'invalid_offer' | 'unknown_voice_session' | 'voice_unavailable'

/** From the server to an SFU process. */
export type SfuRequest = {
  [Name in SfuRequestName]: { id: number; name: Name; given: SfuRequests[Name]['given'] }
}[SfuRequestName]

/** From an SFU process to the server. `ready` is sent once, when its ports are open. */
export type SfuMessage =
  | { kind: 'ready'; port: number; tcpPort: number | undefined }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refusal'; id: number; code: SfuRefusal; message: string }
  | { kind: 'joined'; sessionId: string }
  | { kind: 'left'; sessionId: string; reason: 'left' | 'unreachable' }
  | { kind: 'speaking'; roomId: string; userIds: readonly string[] }
  | { kind: 'slots'; sessionId: string; slots: readonly SlotChange[] }
  | {
      kind: 'pictures'
      sessionId: string
      slots: readonly PictureChange[]
      sounds: readonly SlotChange[]
    }
  | { kind: 'codecs'; sessionId: string; codecs: readonly PictureCodec[] }
  | { kind: 'problem'; message: string }
