import type { VoiceSettings } from '#src/config.ts'
import { type EmbeddedDeps, EmbeddedEngine } from './embedded/engine.ts'
import type { VoiceEngine } from './engine.ts'
import { LiveKitEngine } from './livekit/engine.ts'

/** Creates the engine named by VOICE_ENGINE. It uses no resources until it is opened or a user joins. */
export function createVoiceEngine({ voice, log }: EmbeddedDeps & { voice: VoiceSettings }): VoiceEngine {
  const { livekit } = voice
  return livekit === undefined ? new EmbeddedEngine({ voice, log }) : new LiveKitEngine({ livekit, log })
}
