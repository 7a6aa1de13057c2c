import { useEffect, useState } from 'react'
import { closeThread, dropThread, useHasThread, useOpenThread } from '#src/messages/reading/open-thread.ts'
import type { SearchSide } from '#src/search/open-side.ts'
import { useSession } from '#src/session/context.ts'
import { ONE_PANEL, useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'

/** Other panels next to a room. */
interface Others {
  /** The chat of a voice room. */
  readonly chat: { readonly isOpen: boolean; readonly turn: (isOpen: boolean) => void }
  /** Closes the thread that is open beside its room; null if there is none. */
  readonly leaveThread: (() => void) | null
}

/**
 * State of the panel next to a channel: the members, or instead a thread, replies, the search, the files or the chat of a
 * voice room. In narrow windows each panel is in a drawer, and a thread is a page.
 */
export function useBeside(channelId: string, { chat, leaveThread = null }: Partial<Others> = {}) {
  const session = useSession()
  const hasRoom = useMediaQuery(VERY_WIDE)
  const hasThread = useOpenThread(channelId) !== null || leaveThread !== null
  const [isListed, setIsListed] = useState(true)
  const [isDrawn, setIsDrawn] = useState(false)
  const { side, setSide, turn } = useSide(leaveThread)
  const isBeside = hasRoom && isListed && !hasThread && side === null && chat?.isOpen !== true

  function togglePeople() {
    if (!hasRoom) return setIsDrawn(true)
    setIsListed(!isBeside)
    if (isBeside) return
    setSide(null)
    if (chat?.isOpen === true) chat.turn(false)
    if (hasThread) dropThread(session)
    leaveThread?.()
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
    search: { side, turn },
  }
}

/** The open search or files. If only one panel fits beside the messages, opening it closes a thread or replies, and vice versa. */
function useSide(leaveThread: (() => void) | null) {
  const session = useSession()
  const [side, setSide] = useState<SearchSide | null>(null)
  const hasReplies = useHasThread()
  const fitsOne = useMediaQuery(ONE_PANEL)
  const isReplaced = fitsOne && (hasReplies || leaveThread !== null)

  useEffect(() => {
    if (isReplaced) setSide(null)
  }, [isReplaced])

  function turn(next: SearchSide | null) {
    setSide(next)
    if (next === null || !isReplaced) return
    closeThread(session)
    leaveThread?.()
  }

  return { side, setSide, turn }
}

export type SearchBeside = ReturnType<typeof useBeside>['search']
