import { MAX_LISTED_OFFLINE } from '@foyer/protocol/limits'
import type { Role } from '@foyer/protocol/roles'
import { useEffect, useId, useMemo, useRef, useSyncExternalStore } from 'react'
import { ProfileCards } from '#src/friends/profiles/profile-cards.tsx'
import { counted, t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { type ListSection, layOut, ROW } from './list-layout.ts'
import type { ListPicture } from './list-watch.ts'
import './member-list.css'
import { LoadingRow, MemberRow } from './member-row.tsx'
import { useListRoom } from './use-list-room.ts'
import { useListSpan } from './use-list-span.ts'
import { useListWatch } from './use-list-watch.ts'
import { useRovingRow } from './use-roving-row.ts'

interface MemberListProps {
  spaceId: string
  /** The open room. The list has the members who may view it. */
  roomId: string
  nameOf: NameLookup
}

/** Maximum number of placeholder rows shown until the list arrives. */
const MAX_EXPECTED = 12

/** Lists online members by separately shown role, then offline members. Only rows in view exist. */
export function MemberList({ spaceId, roomId, nameOf }: MemberListProps) {
  const space = useAppState((state) => state.spaces[spaceId])
  const listRoom = useListRoom(spaceId, roomId)
  const watch = useListWatch(spaceId, listRoom)
  const picture = useSyncExternalStore(watch.subscribe, watch.picture)
  const expected = Math.min(space?.member_count ?? 1, MAX_EXPECTED)
  const awaited = useMemo(() => layOut([{ id: 'online', count: expected }]), [expected])
  const layout = picture.isHere ? picture.layout : awaited
  const scroller = useRef<HTMLDivElement>(null)
  const span = useListSpan(scroller, layout)
  const { stop, kept, handlers } = useRovingRow(scroller, layout, span)
  useEffect(() => watch.look(span), [watch, span])
  if (space === undefined) return null

  const rowsOf = (section: ListSection) => {
    const [from, to] = [
      Math.max(section.first, span.from),
      Math.min(section.first + section.count - 1, span.to),
    ]
    const drawn = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset)
    const isKept = kept !== null && kept >= section.first && kept < section.first + section.count
    return isKept ? [...drawn, kept] : drawn
  }

  return (
    <aside className="member-list space-members" aria-label={t('Members')}>
      <h2 className="room-category member-counts">{countsOf(picture, listRoom, space)}</h2>
      <ProfileCards spaceId={spaceId} side="inline-start">
        <div
          ref={scroller}
          className="member-scroller"
          aria-busy={!picture.isHere}
          // Handles the keys of all rows.
          {...handlers}
        >
          <div className="member-canvas" style={{ height: `${layout.height}rem` }}>
            {layout.sections.map((section) => (
              <Group
                key={section.id}
                section={section}
                rows={rowsOf(section)}
                stop={stop}
                picture={picture}
                space={space}
                nameOf={nameOf}
              />
            ))}
          </div>
          {space.member_count > MAX_LISTED_OFFLINE && picture.isHere && (
            <p className="member-note">{t('Large spaces only list members who are online.')}</p>
          )}
        </div>
      </ProfileCards>
    </aside>
  )
}

interface GroupProps {
  section: ListSection
  rows: readonly number[]
  stop: number
  picture: ListPicture
  space: SpaceEntry
  nameOf: NameLookup
}

function Group({ section, rows: indexes, stop, picture, space, nameOf }: GroupProps) {
  const headingId = useId()
  if (indexes.length === 0) return null
  const { id, count, first, top } = section
  const rows = indexes.map((index) => {
    const where = { index, position: index - first + 1, size: count, top: (index - first) * ROW }
    const listed = picture.at(index)
    if (listed === undefined) return <LoadingRow key={index} {...where} isTabStop={index === stop} />
    const { member, presence } = listed
    return (
      <MemberRow
        key={member.user_id}
        {...where}
        member={member}
        customStatus={presence?.custom ?? member.user.custom}
        isOffline={presence === undefined}
        name={nameOf(member.user, member)}
        roles={space.roles}
        isOwner={member.user_id === space.owner_id}
        isTabStop={index === stop}
      />
    )
  })
  return (
    <section
      className="member-group"
      style={{ top: `${top}rem` }}
      data-size={count}
      aria-labelledby={headingId}
    >
      <h3 className="room-category member-heading" id={headingId} dir="auto">
        {picture.isHere
          ? t('{group} — {count}', { group: groupName(id, space.roles), count })
          : t('Loading…')}
      </h3>
      <ul className="member-rows" style={{ height: `${count * ROW}rem` }}>
        {rows}
      </ul>
    </section>
  )
}

function countsOf(
  { isHere, onlineCount, memberCount }: ListPicture,
  listRoom: string | null,
  space: SpaceEntry,
): string {
  if (!isHere && listRoom !== null) return t('Loading…')
  if (!isHere) return counted(space.member_count, '{count} member', '{count} members')
  return counted(memberCount, '{online} online, {count} member', '{online} online, {count} members', {
    online: onlineCount,
  })
}

function groupName(id: string, roles: readonly Role[]): string {
  if (id === 'online') return t('Online')
  if (id === 'offline') return t('Offline')
  return roles.find((role) => role.id === id)?.name ?? t('Online')
}
