// The numbers of the gateway, apart from its schemas: pages load them first.

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
  /** Everybody on this server needs a session with a second factor. */
  SecondFactorNeeded: 4021,
} as const

/** Codes after which a client must not reconnect by itself. */
export const FINAL_CLOSE_CODES: readonly number[] = [
  CloseCode.CredentialRefused,
  CloseCode.UnknownVersion,
  CloseCode.SessionEnded,
  CloseCode.SecondFactorNeeded,
]
