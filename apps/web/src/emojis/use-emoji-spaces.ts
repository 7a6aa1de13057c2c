import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { sortedSpaces } from '#src/store/selectors.ts'
import type { EmojiSpace } from './tiles.ts'

/** The spaces whose emojis can be written: the one that is around, and in a conversation, without one, all of one's own. */
export function useEmojiSpaces(spaceId: string | null): readonly EmojiSpace[] {
  const spaces = useAppState((state) => state.spaces)
  return useMemo(() => {
    const meant = sortedSpaces(spaces).filter(({ id }) => spaceId === null || id === spaceId)
    return meant.filter(({ emojis }) => emojis.length > 0)
  }, [spaces, spaceId])
}
