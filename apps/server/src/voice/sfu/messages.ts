import type { MediaRights, SlotChange } from '../engine.ts'

/** How an SFU process is started: its only argument, as JSON. */
export interface SfuOptions {
  /** UDP; 0 takes a free one. */
  readonly port: number
  /** Addresses under which clients reach this machine, in the order in which they are offered. */
  readonly addresses: readonly string[]
  /** Where it is to be other than usual. */
  readonly patience?: Patience
}

/** How long a client may keep an SFU process waiting, in milliseconds. */
export interface Patience {
  /** Until its offer comes. */
  readonly offerMs: number
  /** From the answer on, until media flows. */
  readonly mediaMs: number
  /** While nothing comes of a client that else reports on what it gets. */
  readonly silenceMs: number
}

/** What the server asks of an SFU process, and what the answer holds. Rooms go by any name. */
export interface SfuRequests {
  join: {
    given: { sessionId: string; roomId: string; userId: string; rights: MediaRights }
    answer: undefined
  }
  signal: { given: { sessionId: string; offer: string }; answer: { answer: string } }
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
  readonly packetsForwarded: number
  readonly packetsDropped: number
  readonly residentBytes: number
}

/** Why an SFU process refuses: the server makes an ApiError of it. */
export type SfuRefusal = 'invalid_offer' | 'unknown_voice_session' | 'voice_unavailable'

/** From the server to an SFU process. */
export type SfuRequest = {
  [Name in SfuRequestName]: { id: number; name: Name; given: SfuRequests[Name]['given'] }
}[SfuRequestName]

/** From an SFU process to the server. `ready` comes once, when its port is open. */
export type SfuMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refusal'; id: number; code: SfuRefusal; message: string }
  | { kind: 'joined'; sessionId: string }
  | { kind: 'left'; sessionId: string; reason: 'left' | 'unreachable' }
  | { kind: 'speaking'; roomId: string; userIds: readonly string[] }
  | { kind: 'slots'; sessionId: string; slots: readonly SlotChange[] }
  | { kind: 'problem'; message: string }
