import type { VoiceState } from '@foyer/protocol/voice'

interface Cast {
  /** User whose picture the signed-in user has chosen to keep large. */
  readonly pinned: string | null
  /** Users whose streams are watched. */
  readonly streams: readonly string[]
  /** The last user who spoke, not counting the signed-in one. */
  readonly speaker: string | null
  /** Users in the room or call. */
  readonly present: readonly string[]
  readonly myId: string | undefined
}

/** The picture that is shown large. */
export interface StagePicture {
  readonly source: 'camera' | 'screen'
  readonly userId: string
}

/** Chooses the large picture: the pinned user's, else a watched stream, the last speaker's, or the first other user's. */
export function stageOf({ pinned, streams, speaker, present, myId }: Cast): StagePicture | null {
  const isHere = (userId: string | null | undefined): userId is string => present.includes(userId ?? '')
  if (isHere(pinned)) return { source: 'camera', userId: pinned }
  const stream = streams.find(isHere)
  if (stream !== undefined) return { source: 'screen', userId: stream }
  const userId = isHere(speaker) ? speaker : (present.find((id) => id !== myId) ?? present[0])
  return userId === undefined ? null : { source: 'camera', userId }
}

/**
 * Chooses the picture for a window that can only show a video: the large picture if it is being sent, else another user's
 * camera, else the user's own; null if nobody sends a picture.
 */
export function sentPictureOf(
  stage: StagePicture | null,
  voices: readonly Pick<VoiceState, 'user_id' | 'self_video'>[],
  myId: string | undefined,
): StagePicture | null {
  const senders = voices.filter(({ self_video }) => self_video).map(({ user_id }) => user_id)
  if (stage?.source === 'screen' || senders.includes(stage?.userId ?? '')) return stage
  const userId = senders.find((id) => id !== myId) ?? senders[0]
  return userId === undefined ? null : { source: 'camera', userId }
}

/** Returns the user who spoke last: the previous one, until they are silent and another user speaks. */
export function nextSpeaker(
  last: string | null,
  speaking: ReadonlySet<string>,
  others: readonly string[],
): string | null {
  if (last !== null && speaking.has(last) && others.includes(last)) return last
  return others.find((id) => speaking.has(id)) ?? last
}
