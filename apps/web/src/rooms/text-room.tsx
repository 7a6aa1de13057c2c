import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { useEffect, useRef, useState } from 'react'
import { Announcer } from '#src/messages/announcer.tsx'
import { Composer } from '#src/messages/composer.tsx'
import { MessageList } from '#src/messages/message-list.tsx'
import { TypingLine } from '#src/messages/typing-line.tsx'
import { useNewAfter } from '#src/messages/use-read.ts'
import { mayInRoom } from '#src/permissions/rights.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import { useNames } from './use-names.ts'

/** A room's messages and where one writes. */
export function TextRoom({ room }: { room: Room }) {
  const { store } = useSession()
  const nameOf = useNames(room.space_id)
  const maySend = useAppState((state) => mayInRoom(state, room.id, Permission.SendMessages))
  const { newAfterSeq, clear } = useNewAfter(room.id)
  const [editingId, setEditingId] = useState<string | null>(null)
  const [sentCount, setSentCount] = useState(0)
  const input = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    // On glass this would call up a keyboard over what one came to read.
    if (!isTouch()) input.current?.focus({ preventScroll: true })
  }, [])

  function onSent() {
    clear()
    setSentCount((count) => count + 1)
  }

  function edit(id: string | null) {
    // Saving takes a moment, in which somebody may have gone elsewhere, as to the emojis.
    if (id === null && isFocusFree()) input.current?.focus()
    setEditingId(id)
  }

  function editLast() {
    const { me, timelines } = store.get()
    const own = timelines[room.id]?.messages.findLast((message) => message.author.id === me?.id)
    if (own !== undefined) setEditingId(own.id)
  }

  return (
    <>
      <MessageList
        room={room}
        nameOf={nameOf}
        newAfterSeq={newAfterSeq}
        editingId={editingId}
        onEdit={edit}
        sentCount={sentCount}
        composer={input}
      />
      {maySend ? (
        <Composer room={room} input={input} onSent={onSent} onEditLast={editLast} />
      ) : (
        <p className="composer-denied">You can read this room, but not write in it.</p>
      )}
      <TypingLine roomId={room.id} nameOf={nameOf} />
      <Announcer roomId={room.id} nameOf={nameOf} />
    </>
  )
}

/** In the editor that closes, or nowhere. */
function isFocusFree(): boolean {
  const { activeElement } = document
  return activeElement === document.body || activeElement?.closest('.message-editor') !== null
}
