import type { Participant } from 'livekit-client'

/** Participants are identified by session id. The token adds the user id as an attribute. */
export function userOf({ attributes }: Pick<Participant, 'attributes'>): string[] {
  return attributes.user_id === undefined ? [] : [attributes.user_id]
}
