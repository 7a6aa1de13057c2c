import { useEffect, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { lastSeqOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import type { NewsRange } from './rows.ts'
import { useFocused } from './use-read.ts'

export interface News {
  readonly range: NewsRange | null
  /** Whether the reader still has to be told of them. */
  readonly isTold: boolean
  /** They have been seen, or are not wanted. */
  readonly tell: () => void
  /** Nothing is new any more. */
  readonly clear: () => void
}

/**
 * What is new to the reader: what was unread when the channel was opened, came while the window was not looked at, or was
 * marked as unread. The divider before it stays until they write or open the channel again.
 */
export function useNews(channelId: string): News {
  const { store } = useSession()
  const isFocused = useFocused()
  const [afterSeq, setAfterSeq] = useState<number | null>(() => unreadFrom(store.get(), channelId))
  const [isTold, setIsTold] = useState(false)
  const readSeq = useAppState((state) => readSeqOf(state, channelId))
  const isKept = useAppState((state) => state.readStates[channelId]?.kept_unread === true)
  const count = useAppState((state) => state.readStates[channelId]?.unread_count ?? 0)
  const isBeyond = useAppState((state) => afterSeq !== null && beginsAfter(state, channelId, afterSeq))

  useEffect(() => {
    if (isFocused && !isKept) return
    setAfterSeq(readSeq)
    setIsTold(false)
  }, [isFocused, isKept, readSeq])

  return {
    range: afterSeq === null ? null : { afterSeq, count, isBeyond },
    isTold,
    tell: () => setIsTold(true),
    clear: () => setAfterSeq(null),
  }
}

/** Where nothing was ever read, nothing is unread: what comes next will be. */
function readSeqOf(state: State, channelId: string): number {
  return state.readStates[channelId]?.last_read_seq ?? lastSeqOf(state, channelId)
}

function unreadFrom({ readStates }: State, channelId: string): number | null {
  const read = readStates[channelId]
  return read !== undefined && read.unread_count > 0 ? read.last_read_seq : null
}

/** Whether what is held begins later: what is new may have begun before. */
function beginsAfter({ timelines }: State, channelId: string, seq: number): boolean {
  const timeline = timelines[channelId]
  const first = timeline?.messages[0]
  return timeline?.hasOlder === true && first !== undefined && first.seq > seq + 1
}
