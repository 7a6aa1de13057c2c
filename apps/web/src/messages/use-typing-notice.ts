import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { useRef } from 'react'
import { useSession } from '#src/session/context.ts'
import { TYPING_INTERVAL_MS } from '#src/store/state.ts'

/** Tells the channel that one is typing, as often as it is worth. */
export function useTypingNotice(channel: ChannelAddress) {
  const { client } = useSession()
  const notBefore = useRef(0)
  const lastAt = useRef(0)
  function notify() {
    if (Date.now() < notBefore.current) return
    lastAt.current = Date.now()
    notBefore.current = lastAt.current + TYPING_INTERVAL_MS
    // A notice that is lost is not worth a word.
    client.messages.typing(channel).catch(() => undefined)
  }
  // The message ended the notice for everybody; the next one begins with its own, as soon as the server passes it on.
  const reset = () => {
    notBefore.current = lastAt.current + NOTICE_INTERVAL_MS
  }
  return { notify, reset }
}
