import type { Participant } from 'livekit-client'

/**
 * Returns a list with the participant's user id; an empty list if the id is missing. LiveKit identifies participants by
 * session id; the token adds the user id as an attribute.
 */
export function userOf({ attributes }: Pick<Participant, 'attributes'>): string[] {
  return attributes.user_id === undefined ? [] : [attributes.user_id]
}
