import { House, UsersRound } from 'lucide-react'
import { Link, useRoute } from 'wouter'
import { ConversationList } from '#src/conversations/conversation-list.tsx'
import { useReceivedCount } from '#src/friends/relation.ts'
import '#src/rooms/room-list.css'
import { Count } from '#src/ui/count.tsx'

/** What there is outside of the spaces. */
export function HomeNav() {
  const [isHome] = useRoute('/home')
  const [isFriends] = useRoute('/friends/:tab?')
  const [, conversation] = useRoute('/conversations/:conversationId/:messageId?')
  const received = useReceivedCount()
  return (
    <nav className="room-list" aria-label="Home">
      <ul>
        <li>
          <Link href="/home" className="room-link" aria-current={isHome ? 'page' : undefined}>
            <House aria-hidden="true" />
            <span className="room-name">Home</span>
          </Link>
        </li>
        <li>
          <Link href="/friends" className="room-link" aria-current={isFriends ? 'page' : undefined}>
            <UsersRound aria-hidden="true" />
            <span className="room-name">Friends</span>
            <Count count={received} isCalling />
          </Link>
        </li>
      </ul>
      <ConversationList currentId={conversation?.conversationId ?? null} />
    </nav>
  )
}
