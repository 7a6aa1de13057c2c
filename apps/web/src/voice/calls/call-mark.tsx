import { Phone } from 'lucide-react'
import { useAppState } from '#src/session/context.ts'
import './call-mark.css'

/** Marks a conversation with a call in the list of conversations. */
export function CallMark({ conversationId }: { conversationId: string }) {
  const isCalling = useAppState((state) => conversationId in state.calls)
  return isCalling ? <Phone className="call-mark" aria-hidden="true" /> : null
}
