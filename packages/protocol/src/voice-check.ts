import { type Static, Type } from 'typebox'
import { Nullable } from './schema.ts'
import { IceServer, MAX_VOICE_SDP_CHARACTERS } from './voice.ts'

/** Maximum duration of a test's connection. */
export const VOICE_CHECK_SECONDS = 10

/** Address and protocol of voice, with which a client can explain why audio fails. */
export const VoiceCheck = Type.Object(
  {
    engine: Type.Unsafe<'embedded' | 'livekit'>({ type: 'string', enum: ['embedded', 'livekit'] }),
    ice_servers: Type.Array(IceServer),
    addresses: Type.Array(Type.String(), { description: 'announced addresses; empty with LiveKit' }),
    ports: Type.Array(Type.Integer({ description: 'UDP' }), {
      description: 'empty if any free port may be used and none is in use yet',
    }),
    tcp_ports: Type.Array(Type.Integer({ description: 'TCP' }), {
      description: 'for networks without UDP; empty if there are none, or any free port may be used',
    }),
    livekit_url: Nullable(Type.String()),
  },
  { title: 'VoiceCheck' },
)
export type VoiceCheck = Static<typeof VoiceCheck>

/** The offer for a test, in the same form as for a join. */
export const VoiceCheckBody = Type.Object({ sdp: Type.String({ maxLength: MAX_VOICE_SDP_CHARACTERS }) })
export type VoiceCheckBody = Static<typeof VoiceCheckBody>

/** The server's answer. If the connection opens within ten seconds, voice works. */
export const VoiceCheckResult = Type.Object({ sdp: Type.String() })
export type VoiceCheckResult = Static<typeof VoiceCheckResult>
