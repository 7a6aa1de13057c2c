import { RoomType } from '@foyer/protocol/rooms'
import { Hash, Volume2 } from 'lucide-react'
import { useContext } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileButton, useHasProfileCards } from '#src/friends/profiles/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { useKnownMembers } from '#src/members/use-known-members.ts'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import { roleName } from '#src/roles/role-name.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './mention-chips.css'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { MentionedContext } from './mentioned.ts'
import { useNameColors } from './use-name-colors.ts'

const NOBODY: never[] = []

/** A user's name in this channel. Clicking it opens their profile card. */
export function UserMention({ id }: { id: string }) {
  const { spaceId, nameOf } = useChannel()
  const listed = useContext(MentionedContext).mentions.find((user) => user.id === id)
  const known = useAppState((state) => state.users[id])
  const isMe = useAppState((state) => state.me?.id === id)
  const member = useKnownMembers(spaceId, isMe ? NOBODY : [id]).get(id)
  const colors = useNameColors(spaceId, id)
  const isTabStop = useRowPart() === 0
  const hasCards = useHasProfileCards()
  const className = isMe ? 'mention mention-me' : 'mention'
  const user = known ?? listed ?? member?.user
  if (user === undefined) return <span className="mention mention-unknown">{t('@unknown')}</span>
  const name = <ColoredName colors={colors}>{`@${nameOf(user)}`}</ColoredName>
  if (!hasCards) return <span className={className}>{name}</span>
  return (
    <ProfileButton userId={id} className={className} isTabStop={isTabStop}>
      {name}
    </ProfileButton>
  )
}

export function RoleMention({ id }: { id: string }) {
  const { spaceId } = useChannel()
  const role = useAppState((state) =>
    state.spaces[spaceId ?? '']?.roles.find((candidate) => candidate.id === id),
  )
  const isMine = useAppState((state) => state.spaces[spaceId ?? '']?.member.roles.includes(id) === true)
  if (role === undefined) return <span className="mention mention-unknown">{t('@unknown role')}</span>
  const name = roleName(role)
  return (
    <span className={isMine ? 'mention mention-me' : 'mention'}>
      <ColoredName colors={colorsOf(role)}>{name.startsWith('@') ? name : `@${name}`}</ColoredName>
    </span>
  )
}

/** Link to a room, if the user can see it. */
export function RoomMention({ id }: { id: string }) {
  const room = useAppState((state) => state.rooms[id])
  const tabIndex = useRowPart()
  if (room === undefined) return <span className="mention mention-unknown">{t('#unknown')}</span>
  const Icon = room.type === RoomType.Voice ? Volume2 : Hash
  return (
    <PageLink
      href={`/spaces/${room.space_id}/rooms/${room.id}`}
      className="mention mention-room"
      tabIndex={tabIndex}
    >
      <Icon aria-hidden="true" />
      <bdi>{roomName(room)}</bdi>
    </PageLink>
  )
}

/** A mention of everyone. It is highlighted only if the sender may mention everyone. */
export function Everyone({ text }: { text: string }) {
  const isTold = useContext(MentionedContext).mention_everyone
  return isTold ? <span className="mention mention-me">{text}</span> : text
}
