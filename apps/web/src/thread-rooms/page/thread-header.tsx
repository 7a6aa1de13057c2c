import { Menu, MessagesSquare, PanelRight, Users } from 'lucide-react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import type { SearchBeside } from '#src/channels/pane/use-beside.ts'
import { t } from '#src/language/texts.ts'
import { PinsButton } from '#src/messages/pins/pins-button.tsx'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { SearchButtons } from '#src/search/search-buttons.tsx'
import { useAppState } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { textRoomOf } from '#src/thread-rooms/in-use/beside.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import { chooseWhole } from './choose-whole.ts'
import { FollowButton } from './follow-button.tsx'
import { ThreadTools } from './thread-tools.tsx'
import './thread-header.css'

interface ThreadHeaderProps {
  entry: ThreadEntry
  channel: OpenChannel
  openDrawer: (() => void) | null
  search: SearchBeside
  showsMembers: boolean
  onToggleMembers: () => void
}

export function ThreadHeader(props: ThreadHeaderProps) {
  const { entry, channel, openDrawer, search, showsMembers, onToggleMembers } = props
  return (
    <header className="page-header">
      {openDrawer !== null && (
        <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
      )}
      <h1 className="page-title">
        <MessagesSquare aria-hidden="true" />
        <span dir="auto">{entry.name}</span>
      </h1>
      <ParentLink entry={entry} />
      <PinsButton key={`pins of ${entry.id}`} channel={channel} />
      <SearchButtons channel={channel} {...search} />
      <FollowButton key={`following ${entry.id}`} entry={entry} />
      <ThreadTools key={`tools of ${entry.id}`} entry={entry} channel={channel} />
      <BesideButton entry={entry} />
      <IconButton
        label={showsMembers ? t('Hide members') : t('Show members')}
        icon={<Users />}
        className="header-spare"
        aria-pressed={showsMembers}
        onClick={onToggleMembers}
      />
    </header>
  )
}

/** Shows the thread beside its room, in windows that are wide enough. */
function BesideButton({ entry }: { entry: ThreadEntry }) {
  const isWide = useMediaQuery(VERY_WIDE)
  const hasRoom = useAppState((state) => textRoomOf(state, entry) !== undefined)
  if (!isWide || !hasRoom) return null
  return (
    <IconButton label={t('Show beside the room')} icon={<PanelRight />} onClick={() => chooseWhole(false)} />
  )
}

/** Leads back to the room of the thread. */
function ParentLink({ entry }: { entry: ThreadEntry }) {
  const room = useAppState((state) => state.rooms[entry.parent_id])
  const label = room === undefined ? '' : roomLabel(room)
  return (
    <div className="thread-parent">
      {room !== undefined && (
        <PageLink href={`/spaces/${room.space_id}/rooms/${room.id}`} dir="auto">
          {t('in {room}', { room: label })}
        </PageLink>
      )}
    </div>
  )
}
