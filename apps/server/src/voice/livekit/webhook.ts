import type { WebhookEvent } from 'livekit-server-sdk'
import type { LiveKitSettings } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { ParticipantEvent } from './engine.ts'

/**
 * Verifies and reads an event.
 * @param token the request's Authorization header: a JWT with a digest of the body, signed with the API secret
 * @returns undefined for an event other than a join or leave
 * @throws ApiError invalid_signature
 */
export async function readParticipantEvent(
  { apiKey, apiSecret }: LiveKitSettings,
  body: string,
  token: string | undefined,
): Promise<ParticipantEvent | undefined> {
  const { WebhookReceiver } = await import('livekit-server-sdk')
  const receiver = new WebhookReceiver(apiKey, apiSecret)
  const event = await receiver.receive(body, token).catch(() => {
    throw new ApiError('invalid_signature')
  })
  return participantEventOf(event)
}

function participantEventOf({ event, room, participant }: WebhookEvent): ParticipantEvent | undefined {
  const isNews = event === 'participant_joined' || event === 'participant_left'
  if (!isNews || room === undefined || participant === undefined) return undefined
  return { event, room: room.name, identity: participant.identity, sid: participant.sid }
}
