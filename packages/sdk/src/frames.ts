import type { EventName, Events } from '@foyer/protocol/events'
import type { GatewayError, Hello, Identify, Opcode, Reconnect, Resume } from '@foyer/protocol/gateway'
import type { RequestMembers, Subscribe } from '@foyer/protocol/members'
import type { UpdatePresence } from '@foyer/protocol/presence'
import type { UpdateVoiceState, VoiceOffer, VoiceSignal, VoiceWatch } from '@foyer/protocol/voice'

export type Dispatch<N extends EventName = EventName> = {
  [K in N]: { op: typeof Opcode.Dispatch; t: K; d: Events[K]; s?: string }
}[N]

/** Data of the frames that the server sends, by opcode. */
interface Contents {
  [Opcode.Dispatch]: Dispatch
  [Opcode.VoiceSignal]: { d: VoiceSignal }
  [Opcode.Reconnect]: { d: Reconnect }
  [Opcode.InvalidSession]: unknown
  [Opcode.Hello]: { d: Hello }
  [Opcode.HeartbeatAck]: unknown
  [Opcode.Error]: { d: GatewayError }
}

export type ServerOpcode = keyof Contents
export type ServerFrame<O extends ServerOpcode = ServerOpcode> = { [K in O]: { op: K } & Contents[K] }[O]
/** Handlers of the server's frames by opcode. */
export type FrameHandlers<Link> = { [O in ServerOpcode]: (frame: ServerFrame<O>, link: Link) => void }

/** Data of the frames that the client sends, by opcode. */
interface Commands {
  [Opcode.Heartbeat]: string | null
  [Opcode.Identify]: Identify
  [Opcode.PresenceUpdate]: UpdatePresence
  [Opcode.VoiceStateUpdate]: UpdateVoiceState
  [Opcode.VoiceSignal]: VoiceOffer | VoiceWatch
  [Opcode.Resume]: Resume
  [Opcode.RequestMembers]: RequestMembers
  [Opcode.Subscribe]: Subscribe
}

export type ClientOpcode = keyof Commands
export type ClientFrame<O extends ClientOpcode = ClientOpcode> = {
  [K in O]: { op: K; d: Commands[K] }
}[O]

/** Parses a frame; returns undefined if it is not JSON. Only this function casts a frame to its type. */
export function parseFrame(text: unknown): ServerFrame | undefined {
  try {
    return JSON.parse(String(text)) ?? undefined
  } catch {
    return undefined
  }
}
