import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { FriendsLink } from '#src/friends/friends-link.tsx'
import { Picture } from '#src/images/picture.tsx'
import { useAppState } from '#src/session/context.ts'
import { isSpaceUnread, sortedSpaces } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { hueOf, initialsOf } from '#src/ui/hue.ts'
import { Hint } from '#src/ui/icon-button.tsx'
import { DoorMark } from '#src/ui/wordmark.tsx'
import { CreateSpaceDialog } from './create-space-dialog.tsx'
import './space-rail.css'

/** The column of spaces. */
export function SpaceRail({ currentSpaceId }: { currentSpaceId: string | null }) {
  const spaces = useAppState((state) => state.spaces)
  const sorted = useMemo(() => sortedSpaces(spaces), [spaces])
  const [creating, setCreating] = useState(false)
  return (
    <nav className="space-rail" aria-label="Spaces">
      <Hint label="Home" side="right">
        <Link href="/home" className="rail-home" aria-label="Home">
          <DoorMark />
        </Link>
      </Hint>
      <FriendsLink />
      <ul>
        {sorted.map((space) => (
          <li key={space.id}>
            <SpaceTile space={space} isCurrent={space.id === currentSpaceId} />
          </li>
        ))}
      </ul>
      <Hint label="Create a space" side="right">
        <button
          type="button"
          className="rail-add"
          aria-label="Create a space"
          onClick={() => setCreating(true)}
        >
          <Plus aria-hidden="true" />
        </button>
      </Hint>
      {creating && <CreateSpaceDialog onClose={() => setCreating(false)} />}
    </nav>
  )
}

function SpaceTile({ space, isCurrent }: { space: SpaceEntry; isCurrent: boolean }) {
  const unread = useAppState((state) => isSpaceUnread(state, space.id))
  return (
    <Hint label={space.name} side="right">
      <Link
        href={`/spaces/${space.id}`}
        className="space-tile"
        style={{ '--hue': hueOf(space.id) }}
        aria-label={unread ? `${space.name}, unread` : space.name}
        aria-current={isCurrent ? 'true' : undefined}
        data-unread={unread || undefined}
      >
        {initialsOf(space.name)}
        {space.icon !== null && <Picture key={space.icon} id={space.icon} />}
      </Link>
    </Hint>
  )
}
