import type { VoiceSettings } from '#src/config.ts'
import { type EmbeddedDeps, EmbeddedEngine } from './embedded/engine.ts'
import type { VoiceEngine } from './engine.ts'
import { LiveKitEngine } from './livekit/engine.ts'

/** The engine that VOICE_ENGINE names. It takes nothing of the machine until somebody joins. */
export function createVoiceEngine({ voice, log }: EmbeddedDeps & { voice: VoiceSettings }): VoiceEngine {
  const { livekit } = voice
  return livekit === undefined ? new EmbeddedEngine({ voice, log }) : new LiveKitEngine({ livekit, log })
}
