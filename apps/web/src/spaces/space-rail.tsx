import { Plus } from 'lucide-react'
import { memo, useMemo } from 'react'
import { conversationPath } from '#src/conversations/actions.ts'
import { FriendsLink } from '#src/friends/friends-link.tsx'
import { Picture } from '#src/images/picture.tsx'
import { counted, t } from '#src/language/texts.ts'
import { MentionsButton } from '#src/mentions/inbox/mentions-button.tsx'
import { useAppState } from '#src/session/context.ts'
import { newestUnreadConversation, unreadInConversations } from '#src/store/conversations.ts'
import { sortedWaitingSpaces } from '#src/store/door.ts'
import { isSpaceMuted } from '#src/store/notification-settings.ts'
import { isSpaceUnread, mutedMentionCount, orderedSpaces, spaceMentionCount } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { hueOf, initialsOf } from '#src/ui/marks/hue.ts'
import { DoorMark } from '#src/ui/marks/wordmark.tsx'
import './space-rail.css'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { useInSight } from '#src/ui/use-in-sight.ts'
import { WaitingTile } from './door/waiting-tile.tsx'
import { SpaceMenuPopup } from './space-menu.tsx'
import { useSpaceMoves } from './use-space-moves.ts'

const CreateSpaceDialog = lazyPopup(() =>
  import('./create-space-dialog.tsx').then((module) => module.CreateSpaceDialog),
)

/** The column of spaces. Memoized, so that changing rooms does not render it. */
export const SpaceRail = memo(function SpaceRail({ currentSpaceId }: { currentSpaceId: string | null }) {
  const spaces = useAppState((state) => state.spaces)
  const spaceOrder = useAppState((state) => state.spaceOrder)
  const waitingSpaces = useAppState((state) => state.waitingSpaces)
  const ordered = useMemo(() => orderedSpaces({ spaces, spaceOrder }), [spaces, spaceOrder])
  const { list, notice, rowOf } = useSpaceMoves(ordered)
  const openDialog = useOpenDialog()
  useInSight(list, currentSpaceId)
  return (
    <nav ref={list} className="space-rail" aria-label={t('Spaces')}>
      <HomeLink />
      <FriendsLink />
      <MentionsButton />
      <ul>
        {ordered.map((space) => (
          <li key={space.id} {...rowOf(space.id)}>
            <SpaceTile space={space} isCurrent={space.id === currentSpaceId} />
          </li>
        ))}
        {sortedWaitingSpaces(waitingSpaces).map((space) => (
          <li key={space.id}>
            <WaitingTile space={space} isCurrent={space.id === currentSpaceId} />
          </li>
        ))}
      </ul>
      <Hint label={t('Create a space')} side="inline-end">
        <button
          type="button"
          className="rail-add"
          aria-label={t('Create a space')}
          onClick={() => openDialog((close) => <CreateSpaceDialog onClose={close} />)}
        >
          <Plus aria-hidden="true" />
        </button>
      </Hint>
      <p role="status" className="visually-hidden">
        {notice}
      </p>
    </nav>
  )
})

/** The link to the home page, with the count of unread messages in conversations. */
function HomeLink() {
  const unread = useAppState(unreadInConversations)
  const label =
    unread === 0
      ? t('Home')
      : counted(unread, 'Home, {count} unread message', 'Home, {count} unread messages')
  return (
    <Hint label={label} side="inline-end">
      <PageLink href={useHomePath()} className="rail-home" aria-label={label}>
        <DoorMark />
        <Count count={unread} isCalling />
      </PageLink>
    </Hint>
  )
}

/** Path of the newest conversation that the unread count includes, else of the home page. */
function useHomePath(): string {
  const calling = useAppState(newestUnreadConversation)
  return calling === undefined ? '/home' : conversationPath(calling.id)
}

function SpaceTile({ space, isCurrent }: { space: SpaceEntry; isCurrent: boolean }) {
  const unread = useAppState((state) => isSpaceUnread(state, space.id))
  const mentions = useAppState((state) => spaceMentionCount(state, space.id))
  const quiet = useAppState((state) => mutedMentionCount(state, space.id))
  const isMuted = useAppState((state) => isSpaceMuted(state, space.id))
  const { isWanted, row, popup } = usePopup({ kind: 'menu' })
  const states = [
    ...(mentions > 0 ? [counted(mentions, '{count} mention', '{count} mentions')] : []),
    ...(unread && mentions === 0 ? [t('unread')] : []),
    ...(isMuted ? [t('muted')] : []),
  ]
  return (
    <>
      <Hint label={space.name} side="inline-end">
        <PageLink
          href={`/spaces/${space.id}`}
          className="space-tile"
          {...row}
          data-initials={initialsOf(space.name)}
          style={{ '--hue': hueOf(space.id) }}
          aria-label={[space.name, ...states].join(', ')}
          aria-current={isCurrent ? 'true' : undefined}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          draggable={false}
          data-unread={(unread && mentions === 0) || undefined}
          data-muted={isMuted || undefined}
        >
          {space.icon !== null && <Picture key={space.icon} id={space.icon} />}
          {mentions > 0 ? <Count count={mentions} isCalling /> : !unread && <Count count={quiet} />}
        </PageLink>
      </Hint>
      {isWanted && (
        <SpaceMenuPopup
          space={space}
          currentRoomId={null}
          label={t('{name}, space menu', { name: space.name })}
          popup={popup}
        />
      )}
    </>
  )
}
