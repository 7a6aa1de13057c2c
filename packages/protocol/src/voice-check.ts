import { type Static, Type } from 'typebox'
import { Nullable } from './schema.ts'
import { IceServer, MAX_VOICE_SDP_CHARACTERS } from './voice.ts'

/** How long the connection of a test lasts. */
export const VOICE_CHECK_SECONDS = 10

/** How voice is reached: what a client needs to tell people why it does not get through. */
export const VoiceCheck = Type.Object(
  {
    engine: Type.Unsafe<'embedded' | 'livekit'>({ type: 'string', enum: ['embedded', 'livekit'] }),
    ice_servers: Type.Array(IceServer),
    addresses: Type.Array(Type.String(), { description: 'that are announced; none where a LiveKit carries' }),
    ports: Type.Array(Type.Integer({ description: 'UDP' }), {
      description: 'none where any free one is taken and none was needed yet',
    }),
    livekit_url: Nullable(Type.String()),
  },
  { title: 'VoiceCheck' },
)
export type VoiceCheck = Static<typeof VoiceCheck>

/** The offer of a test, as for a join. */
export const VoiceCheckBody = Type.Object({ sdp: Type.String({ maxLength: MAX_VOICE_SDP_CHARACTERS }) })
export type VoiceCheckBody = Static<typeof VoiceCheckBody>

/** Its answer: where the connection comes to be within ten seconds, voice gets through. */
export const VoiceCheckResult = Type.Object({ sdp: Type.String() })
export type VoiceCheckResult = Static<typeof VoiceCheckResult>
