import { limits, NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { roomName } from '#src/rooms/room-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { TYPING_INTERVAL_MS } from '#src/store/state.ts'
import { GrowingTextarea } from '#src/ui/growing-textarea.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { isTouch } from '#src/ui/is-touch.ts'
import './composer.css'
import { lengthOf } from './length.ts'
import { sendMessage } from './send.ts'

interface ComposerProps {
  room: Room
  input: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
  /** Arrow up in an empty field. */
  onEditLast: () => void
}

/** So near to the longest message that the writer should know. */
const COUNTER_FROM = 200

export function Composer({ room, input, onSent, onEditLast }: ComposerProps) {
  const session = useSession()
  const content = useAppState((state) => state.drafts[room.id] ?? '')
  const typing = useTypingNotice(room.id)
  const length = lengthOf(content)
  const left = limits.messageMax - length
  const label = `Message #${roomName(room)}`

  function change(next: string) {
    session.store.dispatch('draft_changed', { room_id: room.id, content: next })
    if (next.trim() !== '') typing.notify()
  }

  function send() {
    if (length === 0 || left < 0) return
    sendMessage(session, room.id, content.trim())
    session.store.dispatch('draft_changed', { room_id: room.id, content: '' })
    typing.reset()
    onSent()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowUp' && content === '') {
      event.preventDefault()
      onEditLast()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    // Keyboards on glass have no Shift+Enter: there Enter makes a line, and the button sends.
    if (isTouch()) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
        input.current?.focus()
      }}
    >
      <GrowingTextarea
        ref={input}
        className="composer-input"
        aria-label={label}
        placeholder={label}
        aria-invalid={left < 0 || undefined}
        aria-describedby={left <= COUNTER_FROM ? 'composer-counter' : undefined}
        value={content}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {left <= COUNTER_FROM && (
        <span id="composer-counter" className="composer-counter" data-over={left < 0 || undefined}>
          {left}
        </span>
      )}
      <IconButton
        type="submit"
        label="Send message"
        icon={<SendHorizontal />}
        className="composer-send"
        disabled={length === 0 || left < 0}
      />
    </form>
  )
}

/** Tells the room that one is typing, as often as it is worth. */
function useTypingNotice(roomId: string) {
  const { client } = useSession()
  const notBefore = useRef(0)
  const lastAt = useRef(0)
  function notify() {
    if (Date.now() < notBefore.current) return
    lastAt.current = Date.now()
    notBefore.current = lastAt.current + TYPING_INTERVAL_MS
    // A notice that is lost is not worth a word.
    client.messages.typing(roomId).catch(() => undefined)
  }
  // The message ended the notice for everybody; the next one begins with its own, as soon as the server passes it on.
  const reset = () => {
    notBefore.current = lastAt.current + NOTICE_INTERVAL_MS
  }
  return { notify, reset }
}
