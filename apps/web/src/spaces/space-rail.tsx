import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { conversationPath } from '#src/conversations/actions.ts'
import { FriendsLink } from '#src/friends/friends-link.tsx'
import { Picture } from '#src/images/picture.tsx'
import { useAppState } from '#src/session/context.ts'
import { sortedConversations, unreadInConversations } from '#src/store/conversations.ts'
import { isSpaceUnread, sortedSpaces, spaceMentionCount } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Count } from '#src/ui/count.tsx'
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
      <HomeLink />
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

/** The way home, with what was said in conversations and not read. */
function HomeLink() {
  const unread = useAppState(unreadInConversations)
  const label = unread === 0 ? 'Home' : `Home, ${unread} unread in conversations`
  return (
    <Hint label={label} side="right">
      <Link href={useHomePath()} className="rail-home" aria-label={label}>
        <DoorMark />
        <Count count={unread} isCalling />
      </Link>
    </Hint>
  )
}

/** Where something is unread, the first of it. */
function useHomePath(): string {
  const conversations = useAppState((state) => state.conversations)
  const readStates = useAppState((state) => state.readStates)
  const unread = sortedConversations(conversations).find(({ id }) => (readStates[id]?.unread_count ?? 0) > 0)
  return unread === undefined ? '/home' : conversationPath(unread.id)
}

function SpaceTile({ space, isCurrent }: { space: SpaceEntry; isCurrent: boolean }) {
  const unread = useAppState((state) => isSpaceUnread(state, space.id))
  const mentions = useAppState((state) => spaceMentionCount(state, space.id))
  const news = mentions > 0 ? `, ${mentions} mention${mentions === 1 ? '' : 's'}` : unread ? ', unread' : ''
  return (
    <Hint label={space.name} side="right">
      <Link
        href={`/spaces/${space.id}`}
        className="space-tile"
        style={{ '--hue': hueOf(space.id) }}
        aria-label={space.name + news}
        aria-current={isCurrent ? 'true' : undefined}
        data-unread={(unread && mentions === 0) || undefined}
      >
        {initialsOf(space.name)}
        {space.icon !== null && <Picture key={space.icon} id={space.icon} />}
        <Count count={mentions} isCalling />
      </Link>
    </Hint>
  )
}
