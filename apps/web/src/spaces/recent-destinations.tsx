import { useMemo, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { DestinationSign } from '#src/switcher/destination-sign.tsx'
import { type Destination, destinations, foundDestinations } from '#src/switcher/destinations.ts'
import { recentPaths } from '#src/switcher/recent.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import './recent-destinations.css'

const MAX_SHOWN = 8

/** Rooms and conversations with unread messages, then those that the user opened last. */
export function RecentDestinations() {
  const state = useAppState((now) => now)
  const [recent] = useState(recentPaths)
  const shown = useMemo(
    () => foundDestinations(destinations(state), '', recent).slice(0, MAX_SHOWN),
    [state, recent],
  )
  if (shown.length === 0) return null
  return (
    <section className="home-places">
      <h2>{t('Continue where you left off')}</h2>
      <ul>
        {shown.map((destination) => (
          <li key={destination.id}>
            <DestinationLink destination={destination} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function DestinationLink({ destination }: { destination: Destination }) {
  const { path, name, note, unread, mentions } = destination
  if (path === null) return null
  return (
    <PageLink href={path} className="home-place" data-unread={unread > 0 || undefined}>
      <DestinationSign destination={destination} className="home-place-icon" />
      <span className="home-place-name" dir="auto">
        {name}
      </span>{' '}
      {note !== '' && <span className="home-place-note">{note}</span>}
      {mentions > 0 ? <Count count={mentions} isCalling /> : unread > 0 && <span className="unread-dot" />}
      {unread > 0 && <span className="visually-hidden">{t('unread')}</span>}
    </PageLink>
  )
}
