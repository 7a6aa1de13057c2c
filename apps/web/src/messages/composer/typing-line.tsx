import { useEffect } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { lazyAside } from '#src/ui/loading/lazy-popup.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { WaitLine } from './wait-line.tsx'

const TypingWords = lazyAside(() => import('./typing-words.tsx').then((module) => module.TypingWords))

/** Shows who is typing, unless the user has to wait for a rate limit or slow mode. */
export function TypingLine() {
  const { id: channelId } = useChannel()
  const { store } = useSession()
  const indicators = useAppState((state) => state.typing[channelId])
  const blocks = useAppState((state) => state.blocks)
  const people = Object.entries(indicators ?? {}).filter(([id]) => !(id in blocks))
  const next = Math.min(...people.map(([, indicator]) => indicator.until))

  useEffect(() => {
    if (!Number.isFinite(next)) return
    const expire = () => store.dispatch('typing_expired', { channel_id: channelId })
    const timer = setTimeout(expire, Math.max(0, next - serverNow()) + 20)
    return () => clearTimeout(timer)
  }, [store, channelId, next])

  return (
    <WaitLine>
      {people.length > 0 && (
        <TypingWords
          userIds={people.map(([id]) => id)}
          isRecording={people.some(([, indicator]) => indicator.kind === 'recording')}
        />
      )}
    </WaitLine>
  )
}
