import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { sortedSpaces } from '#src/store/selectors.ts'

/** The emojis that can be written by their names: those of the space, in a conversation those of all own spaces. */
export function useSpaceEmojis(spaceId: string | null): readonly SpaceEmoji[] {
  const spaces = useAppState((state) => state.spaces)
  return useMemo(() => {
    if (spaceId !== null) return spaces[spaceId]?.emojis ?? []
    return firstOfEachName(sortedSpaces(spaces).flatMap(({ emojis }) => emojis))
  }, [spaces, spaceId])
}

/** Two spaces may have emojis of the same name, of which a text can mean one. */
function firstOfEachName(emojis: readonly SpaceEmoji[]): SpaceEmoji[] {
  const byName = new Map(emojis.toReversed().map((emoji) => [emoji.name.toLowerCase(), emoji]))
  return [...byName.values()].toReversed()
}
