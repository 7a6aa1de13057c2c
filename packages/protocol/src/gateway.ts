import { type Static, Type } from 'typebox'
import type { EventName } from './events.ts'
import { UpdatePresence } from './presence.ts'
import { Nullable, Uuid } from './schema.ts'

export const GATEWAY_VERSION = 1

export const Opcode = {
  Dispatch: 0,
  Heartbeat: 1,
  Identify: 2,
  PresenceUpdate: 3,
  VoiceStateUpdate: 4,
  VoiceSignal: 5,
  Resume: 6,
  Reconnect: 7,
  RequestMembers: 8,
  InvalidSession: 9,
  Hello: 10,
  HeartbeatAck: 11,
  Error: 12,
  Subscribe: 14,
} as const

export const CloseCode = {
  Unknown: 4000,
  UnknownOpcode: 4001,
  NotDecodable: 4002,
  NotIdentified: 4003,
  CredentialRefused: 4004,
  IdentifiedTwice: 4005,
  TooFastOrTooSlow: 4008,
  HeartbeatMissed: 4009,
  UnknownVersion: 4012,
  SessionEnded: 4020,
  /** This server requires a session with a second factor. */
  SecondFactorNeeded: 4021,
} as const

/** Codes after which a client must not reconnect by itself. */
export const FINAL_CLOSE_CODES: readonly number[] = [
  CloseCode.CredentialRefused,
  CloseCode.UnknownVersion,
  CloseCode.SessionEnded,
  CloseCode.SecondFactorNeeded,
]

/** One text frame. `s` is the event's position in the journal; transient events have none. */
export interface Frame {
  op: number
  d?: unknown
  t?: EventName
  s?: string
}

export const GatewayInfo = Type.Object(
  { url: Type.String(), version: Type.Integer() },
  { title: 'GatewayInfo' },
)
export type GatewayInfo = Static<typeof GatewayInfo>

export interface Hello {
  heartbeat_interval: number
  resume_window_ms: number
}

const credentialFields = {
  token: Type.String({ maxLength: 512 }),
  session_token: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
}

/** Initial presence of the user, so that an invisible user does not appear before the first presence command. */
const presence = Type.Optional(Nullable(UpdatePresence))

export const Identify = Type.Object({
  ...credentialFields,
  presence,
  capabilities: Type.Optional(
    Nullable(
      Type.Array(Type.String({ maxLength: 32 }), {
        maxItems: 32,
        description: '`threads` for the events of threads, `forums` for forums; unknown ones are ignored',
      }),
    ),
  ),
  intents: Type.Optional(
    Nullable(Type.Integer({ description: 'none are defined: use SUBSCRIBE to choose events' })),
  ),
})
export type Identify = Static<typeof Identify>

export const Resume = Type.Object({
  ...credentialFields,
  presence,
  s: Uuid(),
  capabilities: Identify.properties.capabilities,
})
export type Resume = Static<typeof Resume>

export const Heartbeat = Nullable(Type.String({ maxLength: 64 }))

export interface Reconnect {
  /** Time to wait before reconnecting, so that a drained server's clients do not all reconnect at once. */
  after_ms: number
}

export interface GatewayError {
  code: string
  error: string
  nonce?: string
}
