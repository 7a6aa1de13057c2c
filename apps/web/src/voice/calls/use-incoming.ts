import type { Call } from '@foyer/protocol/voice'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useAppState } from '#src/session/context.ts'

interface Incoming {
  /** Calls that ring for the user in this browser. */
  readonly calls: readonly Call[]
  /** Stops the ringing here, independent of the server. */
  readonly silence: (conversationId: string) => void
}

const NO_CALLS: ReadonlySet<string> = new Set()

/** Ringing calls, until they are answered or declined on any device. */
export function useIncoming(): Incoming {
  const myId = useAppState((state) => state.me?.id ?? '')
  const calls = useAppState((state) => state.calls)
  const [silenced, setSilenced] = useState(NO_CALLS)
  const ringing = useMemo(
    () => Object.values(calls).filter((call) => call.ringing.includes(myId)),
    [calls, myId],
  )

  // Forgets silenced calls that have stopped ringing, because they may ring again.
  useEffect(() => {
    const isRinging = (id: string) => ringing.some(({ conversation_id }) => conversation_id === id)
    setSilenced((before) => {
      const kept = [...before].filter(isRinging)
      return kept.length === before.size ? before : new Set(kept)
    })
  }, [ringing])

  const silence = useCallback((id: string) => setSilenced((before) => new Set([...before, id])), [])
  return { calls: ringing.filter(({ conversation_id }) => !silenced.has(conversation_id)), silence }
}
