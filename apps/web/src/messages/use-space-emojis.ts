import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { useAppState } from '#src/session/context.ts'

const NONE: readonly SpaceEmoji[] = []

/** The emojis of a space that can be written in its rooms; none where no space is around. */
export function useSpaceEmojis(spaceId: string | null): readonly SpaceEmoji[] {
  return useAppState((state) => (spaceId === null ? undefined : state.spaces[spaceId])?.emojis ?? NONE)
}
