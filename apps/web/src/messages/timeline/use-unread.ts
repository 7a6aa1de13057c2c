import { useEffect, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { lastSeqOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import { useFocused } from '../reading/use-read.ts'
import type { UnreadRange } from './rows.ts'

export interface Unread {
  readonly range: UnreadRange | null
  /** True once the user has seen or dismissed the new messages. */
  readonly isDismissed: boolean
  /** Marks the new messages as seen, or dismisses them. */
  readonly dismiss: () => void
  /** Removes the divider. */
  readonly clear: () => void
}

/**
 * New messages: unread when the channel was opened, received while the window was not focused, or marked as unread.
 * The divider stays until the user sends a message or opens the channel again.
 */
export function useUnread(channelId: string): Unread {
  const { store } = useSession()
  const isFocused = useFocused()
  const [afterSeq, setAfterSeq] = useState<number | null>(() => unreadFrom(store.get(), channelId))
  const [isDismissed, setIsDismissed] = useState(false)
  const readSeq = useAppState((state) => readSeqOf(state, channelId))
  const isKept = useAppState((state) => state.readStates[channelId]?.kept_unread === true)
  const count = useAppState((state) => state.readStates[channelId]?.unread_count ?? 0)
  const isBeyond = useAppState((state) => afterSeq !== null && beginsAfter(state, channelId, afterSeq))

  useEffect(() => {
    if (isFocused && !isKept) return
    setAfterSeq(readSeq)
    setIsDismissed(false)
  }, [isFocused, isKept, readSeq])

  return {
    range: afterSeq === null ? null : { afterSeq, count, isBeyond },
    isDismissed,
    dismiss: () => setIsDismissed(true),
    clear: () => setAfterSeq(null),
  }
}

/** Returns the position up to which the channel is read. Without a read state, that is its newest message. */
function readSeqOf(state: State, channelId: string): number {
  return state.readStates[channelId]?.last_read_seq ?? lastSeqOf(state, channelId)
}

function unreadFrom({ readStates }: State, channelId: string): number | null {
  const read = readStates[channelId]
  return read !== undefined && read.unread_count > 0 ? read.last_read_seq : null
}

/** Returns true if new messages may begin before the loaded ones. */
function beginsAfter({ timelines }: State, channelId: string, seq: number): boolean {
  const timeline = timelines[channelId]
  const first = timeline?.messages[0]
  return timeline?.hasOlder === true && first !== undefined && first.seq > seq + 1
}
