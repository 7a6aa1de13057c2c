import { Tabs } from '@base-ui/react/tabs'
import { Menu, UsersRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import '#src/ui/tabs.css'
import { AddFriend } from './add-friend.tsx'
import { BlockedList } from './blocked-list.tsx'
import { FriendList } from './friend-list.tsx'
import './friends-page.css'
import { PendingLists } from './pending-lists.tsx'
import { useReceivedCount } from './pending-requests.ts'
import { ProfileCards } from './profiles/profile-cards.tsx'

interface FriendsPageProps {
  /** Last segment of the path. */
  tab: string
  openDrawer: (() => void) | null
}

const ALL = 'all'
const tabs = [ALL, 'pending', 'blocked']

/** Friends, friend requests and blocked users. */
export function FriendsPage({ tab, openDrawer }: FriendsPageProps) {
  const [, navigate] = useLocation()
  const friendCount = useAppState((state) => Object.keys(state.friends).length)
  const receivedCount = useReceivedCount()
  const page = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    document.title = t('Friends · Foyer')
    return () => {
      document.title = 'Foyer'
    }
  }, [])

  return (
    <section className="page" aria-label={t('Friends')}>
      <header className="page-header">
        {openDrawer !== null && (
          <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
        )}
        <h1 className="page-title">
          <UsersRound aria-hidden="true" />
          <span>{t('Friends')}</span>
        </h1>
      </header>
      <div className="friends" ref={page}>
        <AddFriend />
        <Tabs.Root
          value={tabs.includes(tab) ? tab : ALL}
          onValueChange={(value) =>
            navigate(value === ALL ? '/friends' : `/friends/${value}`, { replace: true })
          }
        >
          <Tabs.List className="tab-list" aria-label={t('Friends')}>
            <Tabs.Tab className="tab" value={ALL}>
              {t('All')} <Count count={friendCount} />
            </Tabs.Tab>
            <Tabs.Tab className="tab" value="pending">
              {t('Pending')} <Count count={receivedCount} isCalling />
            </Tabs.Tab>
            <Tabs.Tab className="tab" value="blocked">
              {t('Blocked')}
            </Tabs.Tab>
          </Tabs.List>
          <ProfileCards spaceId={null} side="bottom">
            <Tabs.Panel value={ALL} className="tab-panel">
              <FriendList onAdd={() => page.current?.querySelector('input')?.focus()} />
            </Tabs.Panel>
            <Tabs.Panel ref={panel} value="pending" className="tab-panel">
              <PendingLists focusAfter={panel} />
            </Tabs.Panel>
            <Tabs.Panel ref={panel} value="blocked" className="tab-panel">
              <BlockedList focusAfter={panel} />
            </Tabs.Panel>
          </ProfileCards>
        </Tabs.Root>
      </div>
    </section>
  )
}
