import type { MemberWithUser } from '@foyer/protocol/members'
import { Crown } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import './member-list.css'
import type { MemberPages } from './use-members.ts'

interface MemberListProps {
  spaceId: string
  nameOf: NameLookup
  pages: MemberPages
}

const NONE: never[] = []

/** Who is here, from the highest role down. */
export function MemberList({ spaceId, nameOf, pages }: MemberListProps) {
  const space = useAppState((state) => state.spaces[spaceId])
  const list = useAppState((state) => state.members[spaceId])
  const users = useAppState((state) => state.users)
  return (
    <aside className="member-list" aria-label="Members">
      <h2 className="room-category">Members — {space?.member_count ?? 0}</h2>
      <ul>
        {(list?.entries ?? NONE).map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            name={nameOf(member.user)}
            status={users[member.id]?.custom ?? ''}
            isOwner={member.id === space?.owner_id}
          />
        ))}
      </ul>
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
  status: string
  isOwner: boolean
}

const MemberRow = memo(function MemberRow({ member, name, status, isOwner }: MemberRowProps) {
  return (
    <li className="member">
      <Avatar id={member.id} name={name} size="sm" />
      <span className="member-names">
        <span className="member-name" title={`@${member.user.username}`}>
          {name}
          {isOwner && (
            <>
              <Crown aria-hidden="true" />
              <span className="visually-hidden">, owner</span>
            </>
          )}
        </span>
        {status !== '' && <span className="member-status">{status}</span>}
      </span>
    </li>
  )
})

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
