import type { EventName, Events } from '@foyer/protocol/events'
import type { GatewayError, Hello, Opcode, Reconnect } from '@foyer/protocol/gateway'

export type Dispatch<N extends EventName = EventName> = {
  [K in N]: { op: typeof Opcode.Dispatch; t: K; d: Events[K]; s?: string }
}[N]

/** What the server sends, by opcode. */
interface Contents {
  [Opcode.Dispatch]: Dispatch
  [Opcode.Reconnect]: { d: Reconnect }
  [Opcode.InvalidSession]: unknown
  [Opcode.Hello]: { d: Hello }
  [Opcode.HeartbeatAck]: unknown
  [Opcode.Error]: { d: GatewayError }
}

export type ServerOpcode = keyof Contents
export type ServerFrame<O extends ServerOpcode = ServerOpcode> = { [K in O]: { op: K } & Contents[K] }[O]

/** The one place where a frame takes its type; undefined when it is none. */
export function parseFrame(text: unknown): ServerFrame | undefined {
  try {
    return JSON.parse(String(text)) ?? undefined
  } catch {
    return undefined
  }
}
