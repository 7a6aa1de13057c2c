import { Type } from 'typebox'
import type { VoiceSettings } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBytes } from '#src/kernel/http/bodies/body-bytes.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { VoiceEngine } from '../engine.ts'
import { LiveKitEngine } from './engine.ts'
import { readParticipantEvent } from './webhook.ts'

export interface LiveKitRouteDeps {
  config: { voice: VoiceSettings }
  /** Undefined in a process without voice. */
  voiceEngine: VoiceEngine | undefined
}

/** Adds the route that receives LiveKit's webhook. LiveKit's setting `webhook.urls` names it. */
export function liveKitRoutes(app: App, { config, voiceEngine }: LiveKitRouteDeps): void {
  app.post(
    '/api/voice/livekit',
    {
      config: { access: 'public' },
      schema: { tags: ['Voice'], summary: 'Receive LiveKit Webhook', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { livekit } = config.voice
      if (livekit === undefined) throw new ApiError('not_found')
      const body = (await readBytes(request)).toString()
      const participantEvent = await readParticipantEvent(livekit, body, request.headers.authorization)
      if (participantEvent !== undefined && voiceEngine instanceof LiveKitEngine)
        await voiceEngine.receive(participantEvent)
      return reply.code(204).send(null)
    },
  )
}
