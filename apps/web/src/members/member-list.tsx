import type { MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'
import { Crown } from 'lucide-react'
import { memo, useEffect, useMemo, useRef } from 'react'
import { ProfileButton, ProfileCards } from '#src/friends/profile-cards.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { nameColors } from '#src/roles/role-color.ts'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { BotBadge } from '#src/ui/bot-badge.tsx'
import { type MemberGroup, memberGroups } from './member-groups.ts'
import './member-list.css'
import type { MemberPages } from './use-members.ts'

interface MemberListProps {
  spaceId: string
  nameOf: NameLookup
  pages: MemberPages
}

const NONE: never[] = []

/** Who is here, from the highest role down, under the roles that stand apart. */
export function MemberList({ spaceId, nameOf, pages }: MemberListProps) {
  const space = useAppState((state) => state.spaces[spaceId])
  const list = useAppState((state) => state.members[spaceId])
  const roles = space?.roles ?? NONE
  const entries = list?.entries ?? NONE
  const groups = useMemo(() => memberGroups(entries, roles), [entries, roles])
  return (
    <aside className="member-list" aria-label="Members">
      {groups.length === 0 && <h2 className="room-category">Members — {space?.member_count ?? 0}</h2>}
      <ProfileCards spaceId={spaceId} side="left">
        {groups.map(({ role, members }) => (
          <section key={role?.id ?? 'others'}>
            <h2 className="room-category">
              {role?.name ?? 'Members'} — {role === null ? othersCount(space, groups) : members.length}
            </h2>
            <ul>
              {members.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  name={nameOf(member.user)}
                  roles={roles}
                  isOwner={member.id === space?.owner_id}
                />
              ))}
            </ul>
          </section>
        ))}
      </ProfileCards>
      {pages.error !== null && (
        <p role="alert" className="form-error">
          {pages.error}
        </p>
      )}
      {list?.complete === false && <MoreMembers load={pages.loadMore} />}
    </aside>
  )
}

interface MemberRowProps {
  member: MemberWithUser
  name: string
  /** Those of the space. */
  roles: readonly Role[]
  isOwner: boolean
}

const MemberRow = memo(function MemberRow({ member, name, roles, isOwner }: MemberRowProps) {
  const status = useAppState((state) => (state.users[member.id] ?? member.user).custom)
  return (
    <li>
      <ProfileButton userId={member.id} className="member">
        <Avatar id={member.id} name={name} size="sm" />
        <span className="member-names">
          <span className="member-name" title={`@${member.user.username}`}>
            <ColoredName colors={nameColors(roles, member.roles)}>{name}</ColoredName>
            {member.user.is_bot && <BotBadge />}
            {isOwner && (
              <>
                <Crown aria-hidden="true" />
                <span className="visually-hidden">, owner</span>
              </>
            )}
          </span>
          {status !== '' && <span className="member-status">{status}</span>}
        </span>
      </ProfileButton>
    </li>
  )
})

/** Most of them may not be loaded; those who stand apart come first. */
function othersCount(space: SpaceEntry | undefined, groups: readonly MemberGroup[]): number {
  const apart = groups.filter(({ role }) => role !== null).flatMap(({ members }) => members)
  return Math.max(0, (space?.member_count ?? 0) - apart.length)
}

/** The end of what is loaded: the next page comes when it is seen. */
function MoreMembers({ load }: { load: () => void }) {
  const mark = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) load()
    })
    if (mark.current !== null) observer.observe(mark.current)
    return () => observer.disconnect()
  }, [load])
  return (
    <p ref={mark} className="menu-note">
      Loading more…
    </p>
  )
}
