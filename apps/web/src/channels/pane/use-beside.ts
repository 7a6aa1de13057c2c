import { useState } from 'react'
import { dropThread, useOpenThread } from '#src/messages/reading/open-thread.ts'
import type { SearchSide } from '#src/search/open-side.ts'
import { useSession } from '#src/session/context.ts'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'

/** The chat of a voice room. */
interface Chat {
  readonly isOpen: boolean
  readonly turn: (isOpen: boolean) => void
}

/**
 * State of the panel next to a channel: the members, or instead a thread, the search, the files or the chat of a voice
 * room. In narrow windows each of them is in a drawer.
 */
export function useBeside(channelId: string, chat?: Chat) {
  const session = useSession()
  const hasRoom = useMediaQuery(VERY_WIDE)
  const hasThread = useOpenThread(channelId) !== null
  const [isListed, setIsListed] = useState(true)
  const [isDrawn, setIsDrawn] = useState(false)
  const [side, setSide] = useState<SearchSide | null>(null)
  const isBeside = hasRoom && isListed && !hasThread && side === null && chat?.isOpen !== true

  function togglePeople() {
    if (!hasRoom) return setIsDrawn(true)
    setIsListed(!isBeside)
    if (isBeside) return
    setSide(null)
    if (chat?.isOpen === true) chat.turn(false)
    if (hasThread) dropThread(session)
  }

  return {
    people: {
      hasRoom,
      isBeside,
      isDrawn,
      isShown: hasRoom ? isBeside : isDrawn,
      setIsDrawn,
      toggle: togglePeople,
    },
    search: { side, turn: setSide },
  }
}

export type SearchBeside = ReturnType<typeof useBeside>['search']
