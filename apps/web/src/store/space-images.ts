import type { Events } from '@foyer/protocol/events'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { State } from './state.ts'

export const spaceImageReducers = {
  SPACE_EMOJI_CREATE: (state: State, emoji: Events['SPACE_EMOJI_CREATE']): State =>
    withImage(state, 'emojis', emoji),
  SPACE_EMOJI_UPDATE: (state: State, emoji: Events['SPACE_EMOJI_UPDATE']): State =>
    withImage(state, 'emojis', emoji),
  SPACE_EMOJI_DELETE: (state: State, { space_id, emoji_id }: Events['SPACE_EMOJI_DELETE']): State =>
    withImages(state, space_id, 'emojis', (emojis) => emojis.filter(({ id }) => id !== emoji_id)),
  SPACE_STICKER_CREATE: (state: State, sticker: Events['SPACE_STICKER_CREATE']): State =>
    withImage(state, 'stickers', sticker),
  SPACE_STICKER_UPDATE: (state: State, sticker: Events['SPACE_STICKER_UPDATE']): State =>
    withImage(state, 'stickers', sticker),
  SPACE_STICKER_DELETE: (state: State, { space_id, sticker_id }: Events['SPACE_STICKER_DELETE']): State =>
    withImages(state, space_id, 'stickers', (stickers) => stickers.filter(({ id }) => id !== sticker_id)),
}

type Kind = 'emojis' | 'stickers'

/** Replaces an image, or appends a new one. */
function withImage(state: State, kind: Kind, image: SpaceImage): State {
  return withImages(state, image.space_id, kind, (images) =>
    images.some(({ id }) => id === image.id)
      ? images.map((other) => (other.id === image.id ? image : other))
      : [...images, image],
  )
}

function withImages(
  state: State,
  spaceId: string,
  kind: Kind,
  change: (images: SpaceImage[]) => SpaceImage[],
): State {
  const space = state.spaces[spaceId]
  if (space === undefined) return state
  return { ...state, spaces: { ...state.spaces, [spaceId]: { ...space, [kind]: change(space[kind]) } } }
}
