import { UsersRound } from 'lucide-react'
import { useRoute } from 'wouter'
import { counted, t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { useReceivedCount } from './pending-requests.ts'

/** The link to the friends page in the space rail. It shows the number of received requests. */
export function FriendsLink() {
  const [isCurrent] = useRoute('/friends/:tab?')
  const received = useReceivedCount()
  const label =
    received === 0 ? t('Friends') : counted(received, 'Friends, {count} request', 'Friends, {count} requests')
  return (
    <Hint label={label} side="inline-end">
      <PageLink
        href={received === 0 ? '/friends' : '/friends/pending'}
        className="rail-icon"
        aria-label={label}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <UsersRound aria-hidden="true" />
        <Count count={received} isCalling />
      </PageLink>
    </Hint>
  )
}
