import type { Room } from '@foyer/protocol/rooms'
import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { roomLabel } from '../names/room-name.ts'

/** The room that now follows an announcement room, and the space of that room. */
export interface Follow {
  readonly space: SpaceEntry
  readonly room: Room
}

interface FollowedProps {
  source: Room
  follow: Follow
  onClose: () => void
}

/** Confirms that the target room follows the source, and explains how to end that. */
export function Followed({ source, follow: { space, room }, onClose }: FollowedProps) {
  const [, navigate] = useLocation()
  const done = useRef<HTMLButtonElement>(null)
  // The button that had the focus was removed. Without this focus, the dialog would take it one frame later.
  useLayoutEffect(() => done.current?.focus(), [])

  function go() {
    onClose()
    // The dialog restores the focus first. After that, the room can take it.
    nextFrame(() => nextFrame(() => navigate(`/spaces/${space.id}/rooms/${room.id}`)))
  }

  return (
    <div className="form">
      <p role="status">
        {t('{target} in {space} now follows {source}. To stop, go to Webhooks in the settings of {target}.', {
          target: roomLabel(room),
          space: space.name,
          source: roomLabel(source),
        })}
      </p>
      <div className="form-actions">
        <Button onClick={go}>{t('Go to room')}</Button>
        <Button ref={done} look="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </div>
  )
}
