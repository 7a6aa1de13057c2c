import { House, Search, UsersRound } from 'lucide-react'
import { useRoute } from 'wouter'
import { ConversationList } from '#src/conversations/list/conversation-list.tsx'
import { useReceivedCount } from '#src/friends/pending-requests.ts'
import { t } from '#src/language/texts.ts'
import '#src/rooms/list/room-list.css'
import { isApple } from '#src/shortcuts/is-apple.ts'
import { keyLabel } from '#src/shortcuts/key-label.ts'
import { runShortcut } from '#src/shortcuts/use-shortcut.ts'
import { Count } from '#src/ui/marks/count.tsx'
import '#src/ui/marks/kbd.css'
import './home-nav.css'
import { PageLink } from '#src/ui/buttons/page-link.tsx'

/** Links to the pages outside of spaces. */
export function HomeNav() {
  const [isHome] = useRoute('/home')
  const [isFriends] = useRoute('/friends/:tab?')
  const [, conversation] = useRoute('/conversations/:conversationId/:messageId?')
  const received = useReceivedCount()
  return (
    <nav className="room-list" aria-label={t('Home')}>
      <GoTo />
      <ul>
        <li>
          <PageLink href="/home" className="room-link" aria-current={isHome ? 'page' : undefined}>
            <House aria-hidden="true" />
            <span className="room-name">{t('Home')}</span>
          </PageLink>
        </li>
        <li>
          <PageLink href="/friends" className="room-link" aria-current={isFriends ? 'page' : undefined}>
            <UsersRound aria-hidden="true" />
            <span className="room-name">{t('Friends')}</span>
            <Count count={received} isCalling />
          </PageLink>
        </li>
      </ul>
      <ConversationList currentId={conversation?.conversationId ?? null} />
    </nav>
  )
}

/** Opens the quick switcher, for users without a keyboard or who do not know the shortcut. */
function GoTo() {
  const apple = isApple()
  return (
    <button type="button" className="go-to" onClick={() => runShortcut('switcher')}>
      <Search aria-hidden="true" />
      <span>{t('Go to…')}</span>
      <span className="go-to-keys" aria-hidden="true">
        <kbd>{keyLabel('Mod', apple)}</kbd>
        <kbd>K</kbd>
      </span>
    </button>
  )
}
