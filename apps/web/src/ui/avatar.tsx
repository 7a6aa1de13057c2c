import type { PresenceStatus } from '@foyer/protocol/presence'
import { Picture } from '#src/images/picture.tsx'
import { PresenceMark, StatusMark } from '#src/presence/presence-mark.tsx'
import { useAppState } from '#src/session/context.ts'
import './avatar.css'
import { hueOf, initialsOf } from './hue.ts'

interface AvatarProps {
  /** Of a person, a space or an application. */
  id: string
  name: string
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** The picture, where an answer tells it of what is not known here. */
  picture?: string | null
  /** Whether a person is there is shown too. */
  hasPresence?: boolean
  /** Where an answer tells it of whom nothing else does. */
  status?: PresenceStatus | undefined
}

/** Decoration: the name always stands beside it, or labels what it is in. */
export function Avatar({ id, name, size = 'md', picture = null, hasPresence = false, status }: AvatarProps) {
  const pictureId = useAppState(({ users, spaces }) => {
    if (id in users) return users[id]?.avatar ?? null
    return id in spaces ? (spaces[id]?.icon ?? null) : picture
  })
  return (
    <span
      className={`avatar avatar-${size}`}
      style={{ '--hue': hueOf(id) }}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    >
      {pictureId !== null && <Picture key={pictureId} id={pictureId} />}
      {hasPresence && (status === undefined ? <PresenceMark userId={id} /> : <StatusMark status={status} />)}
    </span>
  )
}
