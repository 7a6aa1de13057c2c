import { ConversationAvatar } from '#src/conversations/conversation-avatar.tsx'
import { RoomIcon } from '#src/rooms/room-icon.tsx'
import { useAppState } from '#src/session/context.ts'
import type { Destination } from '#src/switcher/destinations.ts'
import { Avatar } from '#src/ui/avatar.tsx'

interface ForwardTargetProps {
  target: Destination
  isChosen: boolean
  isDisabled: boolean
  problem: string | undefined
  onToggle: () => void
}

export function ForwardTarget({ target, isChosen, isDisabled, problem, onToggle }: ForwardTargetProps) {
  return (
    <li>
      <label className="forward-target">
        <Sign target={target} />
        <span className="forward-name" dir="auto">
          {target.name}
        </span>
        <span className="forward-note">{target.note}</span>
        <input type="checkbox" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
      </label>
      {problem !== undefined && (
        <p role="alert" className="field-error">
          {problem}
        </p>
      )}
    </li>
  )
}

function Sign({ target: { kind, id, name } }: { target: Destination }) {
  const room = useAppState((state) => state.rooms[id])
  const conversation = useAppState((state) => state.conversations[id])
  if (kind === 'room')
    return <span className="forward-icon">{room !== undefined && <RoomIcon type={room.type} />}</span>
  if (kind === 'conversation')
    return conversation === undefined ? null : <ConversationAvatar conversation={conversation} size="sm" />
  return <Avatar id={id} name={name} size="sm" />
}
