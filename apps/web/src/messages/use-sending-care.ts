import { type RefObject, useRef, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import type { Emojis, Question } from './sending-care.tsx'

/** The text may name emojis, or everyone. */
const NEEDS_CARE = /:[\w+-]+:|@everyone|@here|<@&/

/** Fetched with the first text that needs it. */
export const loadSendingCare = () => import('./sending-care.tsx')

/** Gives texts their emojis before they are sent, and asks before they notify many people. */
export function useSendingCare(channel: OpenChannel) {
  const { store } = useSession()
  const [question, ask] = useState<Question | null>(null)
  const isBusy = useRef(false)

  /** Most texts need none of this, and do not wait for the code that does it. */
  function send(text: string, silently: boolean, sendNow: (content: string) => void) {
    if (isBusy.current) return
    if (!NEEDS_CARE.test(text)) return sendNow(text)
    isBusy.current = true
    loadSendingCare()
      .then(({ takeCare }) => takeCare({ state: store.get(), channel, silently, sendNow, ask }, text))
      .catch(() => sendNow(text))
      .finally(() => {
        isBusy.current = false
      })
  }

  /** Shows what is being pasted as it will be sent. Without it, it is sent so all the same. */
  function show(field: RefObject<HTMLTextAreaElement | null>, own: Emojis) {
    loadSendingCare().then(
      ({ showPasted }) => showPasted(field, own),
      () => undefined,
    )
  }

  return { question, send, show, close: () => ask(null) }
}
