import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { sortedSpaces } from '#src/store/selectors.ts'

/**
 * Returns the emoji that can be written by name: those of the space, or in a conversation those of all the user's
 * spaces.
 */
export function useSpaceEmojis(spaceId: string | null): readonly SpaceEmoji[] {
  const spaces = useAppState((state) => state.spaces)
  return useMemo(() => {
    if (spaceId !== null) return spaces[spaceId]?.emojis ?? []
    return firstOfEachName(sortedSpaces(spaces).flatMap(({ emojis }) => emojis))
  }, [spaces, spaceId])
}

/** Keeps only the first emoji of each name: spaces may use the same name, but a typed name means one emoji. */
function firstOfEachName(emojis: readonly SpaceEmoji[]): SpaceEmoji[] {
  const byName = new Map(emojis.toReversed().map((emoji) => [emoji.name.toLowerCase(), emoji]))
  return [...byName.values()].toReversed()
}
