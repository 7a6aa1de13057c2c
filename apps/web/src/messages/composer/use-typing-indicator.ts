import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { useRef } from 'react'
import { useSession } from '#src/session/context.ts'
import { TYPING_INTERVAL_MS } from '#src/store/state.ts'

/** Sends the user's typing indicators, at most one per `TYPING_INTERVAL_MS`. */
export function useTypingIndicator(channel: ChannelAddress) {
  const { client } = useSession()
  const notBefore = useRef(0)
  const lastAt = useRef(0)
  function notify() {
    if (Date.now() < notBefore.current) return
    lastAt.current = Date.now()
    notBefore.current = lastAt.current + TYPING_INTERVAL_MS
    // A lost typing indicator does no harm.
    client.messages.typing(channel).catch(() => undefined)
  }
  // A sent message hides the indicator for everyone. The next one is sent as soon as the server accepts it again.
  const reset = () => {
    notBefore.current = lastAt.current + NOTICE_INTERVAL_MS
  }
  return { notify, reset }
}
