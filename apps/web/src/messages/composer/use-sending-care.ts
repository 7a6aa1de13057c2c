import { type RefObject, useRef, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import type { Emojis, Question } from './sending-care.tsx'

/** Matches texts with emoji names, or mentions of everyone or of a role. */
const NEEDS_CARE = /:[\w+-]+:|@everyone|@here|<@&/

/** Loads the code for texts that match `NEEDS_CARE`. */
export const loadSendingCare = () => import('./sending-care.tsx')

/** Replaces emoji names before a text is sent, and confirms messages that notify many people. */
export function useSendingCare(channel: OpenChannel) {
  const { store } = useSession()
  const [question, ask] = useState<Question | null>(null)
  const isBusy = useRef(false)

  /** Sends most texts immediately. Only texts that match `NEEDS_CARE` wait for the chunk. */
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

  /** Replaces pasted emoji names in the field. If loading fails, they are still replaced when the message is sent. */
  function show(field: RefObject<HTMLTextAreaElement | null>, own: Emojis) {
    loadSendingCare().then(
      ({ showPasted }) => showPasted(field, own),
      () => undefined,
    )
  }

  return { question, send, show, close: () => ask(null) }
}
