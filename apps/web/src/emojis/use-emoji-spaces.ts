import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { sortedSpaces } from '#src/store/selectors.ts'
import type { EmojiSpace } from './tiles.ts'

/** Returns the spaces whose emojis can be used: the given one, or in a conversation all spaces of the user. */
export function useEmojiSpaces(spaceId: string | null): readonly EmojiSpace[] {
  const spaces = useAppState((state) => state.spaces)
  return useMemo(() => {
    const meant = sortedSpaces(spaces).filter(({ id }) => spaceId === null || id === spaceId)
    return meant.filter(({ emojis }) => emojis.length > 0)
  }, [spaces, spaceId])
}
