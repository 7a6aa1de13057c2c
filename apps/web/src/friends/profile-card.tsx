import { Popover } from '@base-ui/react/popover'
import type { User } from '@foyer/protocol/users'
import { Banner } from '#src/images/banner.tsx'
import { useAppState } from '#src/session/context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { BotBadge } from '#src/ui/bot-badge.tsx'
import { formatDate } from '#src/ui/time.ts'
import type { EndedPerson } from './end-friendship.tsx'
import { ProfileRoles } from './profile-roles.tsx'
import { RelationActions } from './relation-actions.tsx'
import { type Membership, useProfile } from './use-profile.ts'

interface ProfileCardProps {
  userId: string
  spaceId: string | null
  onEnd: (ended: EndedPerson) => void
}

/** Who somebody is, here and everywhere, and what is between the two of you. */
export function ProfileCard({ userId, spaceId, onEnd }: ProfileCardProps) {
  const profile = useProfile(userId, spaceId)
  if (profile.user === undefined) return <p className="menu-note">{profile.error ?? 'Loading…'}</p>
  const { user, membership } = profile
  const isGone = user.deleted_at !== null
  const alias = isGone ? 'Deleted account' : (user.alias ?? user.username)
  const nickname = membership.state === 'member' ? membership.member.nickname : null
  return (
    <>
      <Banner id={user.banner} className="profile-banner" />
      <header className="profile-head">
        <Avatar id={user.id} name={nickname ?? alias} size="lg" picture={user.avatar} />
        <Popover.Title className="profile-name">{nickname ?? alias}</Popover.Title>
        {!isGone && <Handle user={user} alias={nickname === null ? null : alias} />}
      </header>
      {user.custom !== '' && <p className="profile-status">{user.custom}</p>}
      {membership.state === 'member' && spaceId !== null && (
        <ProfileRoles spaceId={spaceId} member={membership.member} />
      )}
      <p className="profile-facts">
        <Facts membership={membership} spaceId={spaceId} since={user.created_at} />
      </p>
      {!isGone && <RelationActions user={user} onEnd={(how) => onEnd({ how, userId, name: alias })} />}
    </>
  )
}

/** The username; before it the display name, where a nickname stands in its place. */
function Handle({ user, alias }: { user: User; alias: string | null }) {
  return (
    <p className="profile-handle">
      {alias !== null && alias !== user.username && `${alias} · `}@{user.username}
      {user.is_bot && <BotBadge />}
    </p>
  )
}

interface FactsProps {
  membership: Membership
  spaceId: string | null
  since: string
}

function Facts({ membership, spaceId, since }: FactsProps) {
  const spaceName = useAppState((state) => (spaceId === null ? '' : (state.spaces[spaceId]?.name ?? '')))
  if (membership.state === 'unknown') return `On Foyer since ${formatDate(since)}`
  if (membership.state === 'gone') return `Not a member of ${spaceName} any more`
  return `In ${spaceName} since ${formatDate(membership.member.joined_at)}`
}
