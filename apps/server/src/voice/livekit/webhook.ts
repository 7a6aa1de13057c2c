import type { WebhookEvent } from 'livekit-server-sdk'
import type { LiveKitSettings } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { ParticipantNews } from './engine.ts'

/**
 * @param token the Authorization of the request: it is signed with the API's secret, and holds a digest of the body
 * @returns undefined for what is of no interest
 * @throws ApiError invalid_signature
 */
export async function readNews(
  { apiKey, apiSecret }: LiveKitSettings,
  body: string,
  token: string | undefined,
): Promise<ParticipantNews | undefined> {
  const { WebhookReceiver } = await import('livekit-server-sdk')
  const receiver = new WebhookReceiver(apiKey, apiSecret)
  const news = await receiver.receive(body, token).catch(() => {
    throw new ApiError('invalid_signature')
  })
  return newsOf(news)
}

function newsOf({ event, room, participant }: WebhookEvent): ParticipantNews | undefined {
  const isNews = event === 'participant_joined' || event === 'participant_left'
  if (!isNews || room === undefined || participant === undefined) return undefined
  return { event, room: room.name, identity: participant.identity, sid: participant.sid }
}
