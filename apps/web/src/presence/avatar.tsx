import type { PresenceStatus } from '@foyer/protocol/presence'
import { Picture } from '#src/images/picture.tsx'
import { useAppState } from '#src/session/context.ts'
import { PresenceMark, StatusMark } from './presence-mark.tsx'
import './avatar.css'
import { hueOf, initialsOf } from '#src/ui/marks/hue.ts'

interface AvatarProps {
  /** Id of a user, a space or an application, or a text made from a webhook's name. It decides the color. */
  id: string
  name: string
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** Picture from an API response, for ids the store does not know. */
  picture?: string | null
  /** Adds the mark of the user's presence. */
  hasPresence?: boolean
  /** Presence from an API response, for users the store does not know. */
  status?: PresenceStatus | undefined
}

/** The avatar of a user, space, application or webhook. It is decorative: the name is always next to it, or labels its container. */
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
