import {
  MAX_VOICE_SDP_CHARACTERS,
  PICTURE_LINES,
  pictureCodecs,
  SCREEN_SOUND_SLOTS,
  VOICE_SLOTS,
} from '@foyer/protocol/voice'
import { type Static, Type } from 'typebox'

/** Schema of a slot and its user. JSON omits the user of a free slot. */
function slotOf(slots: number) {
  return Type.Object({
    slot: Type.Integer({ minimum: 0, exclusiveMaximum: slots }),
    userId: Type.Optional(Type.String()),
  })
}

const Port = Type.Integer({ minimum: 1, maximum: 65535 })

/** Messages from an SFU process. They are validated, because untrusted packets reach the native code of the process. */
export const FromSfu = Type.Union([
  Type.Object({
    kind: Type.Literal('ready'),
    port: Port,
    /** JSON omits it if no TCP port is open. */
    tcpPort: Type.Optional(Port),
  }),
  Type.Object({ kind: Type.Literal('answer'), id: Type.Integer(), answer: Type.Optional(Type.Unknown()) }),
  Type.Object({
    kind: Type.Literal('refusal'),
    id: Type.Integer(),
    code: Type.Enum(['invalid_offer', 'unknown_voice_session', 'voice_unavailable']),
    message: Type.String({ maxLength: 500 }),
  }),
  Type.Object({ kind: Type.Literal('joined'), sessionId: Type.String() }),
  Type.Object({
    kind: Type.Literal('left'),
    sessionId: Type.String(),
    reason: Type.Enum(['left', 'unreachable']),
  }),
  Type.Object({ kind: Type.Literal('speaking'), roomId: Type.String(), userIds: Type.Array(Type.String()) }),
  Type.Object({
    kind: Type.Literal('slots'),
    sessionId: Type.String(),
    slots: Type.Array(slotOf(VOICE_SLOTS)),
  }),
  Type.Object({
    kind: Type.Literal('pictures'),
    sessionId: Type.String(),
    slots: Type.Array(
      Type.Object({
        slot: Type.Integer({ minimum: 0, exclusiveMaximum: PICTURE_LINES }),
        userId: Type.Optional(Type.String()),
        source: Type.Optional(Type.Enum(['camera', 'screen'])),
        layer: Type.Optional(
          Type.Object({ position: Type.Integer({ minimum: 1 }), count: Type.Integer({ minimum: 1 }) }),
        ),
        firstSequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
      }),
    ),
    sounds: Type.Array(slotOf(SCREEN_SOUND_SLOTS)),
  }),
  Type.Object({
    kind: Type.Literal('codecs'),
    sessionId: Type.String(),
    codecs: Type.Array(Type.Enum([...pictureCodecs])),
  }),
  Type.Object({ kind: Type.Literal('problem'), message: Type.String() }),
])
export type FromSfu = Static<typeof FromSfu>

export const SignalAnswer = Type.Object({ answer: Type.String({ maxLength: MAX_VOICE_SDP_CHARACTERS }) })

const Count = Type.Number({ minimum: 0 })
export const StatsAnswer = Type.Object({
  rooms: Count,
  sessions: Count,
  pictures: Count,
  packetsForwarded: Count,
  packetsDropped: Count,
  tcpConnections: Count,
  residentBytes: Count,
})
export type StatsAnswer = Static<typeof StatsAnswer>
