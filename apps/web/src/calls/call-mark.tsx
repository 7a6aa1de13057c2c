import { Phone } from 'lucide-react'
import { useAppState } from '#src/session/context.ts'
import './call-mark.css'

/** In the list of conversations, at one where there is a call. */
export function CallMark({ conversationId }: { conversationId: string }) {
  const isCalling = useAppState((state) => conversationId in state.calls)
  return isCalling ? <Phone className="call-mark" aria-hidden="true" /> : null
}
