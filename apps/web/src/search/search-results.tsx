import type { Message } from '@foyer/protocol/messages'
import { SearchX } from 'lucide-react'
import { counted, t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { groupsOf, roomOf } from './hit-groups.ts'
import { HitList } from './hit-list.tsx'
import type { Found } from './use-search.ts'

interface SearchResultsProps {
  found: Found
  nameOf: NameLookup
  onMore: () => void
  onAgain: () => void
  onOpen: () => void
}

export function SearchResults({ found, nameOf, onMore, onAgain, onOpen }: SearchResultsProps) {
  if (found.state === 'nothing asked') return null
  if (found.state === 'searching')
    return (
      <div className="search-waiting" role="status" aria-label={t('Searching…')}>
        <span />
        <span />
        <span />
      </div>
    )
  if (found.state === 'failed')
    return (
      <div className="search-note" role="alert">
        <p>{found.message}</p>
        <Button onClick={onAgain}>{t('Try again')}</Button>
      </div>
    )
  if (found.messages.length === 0)
    return (
      <div className="search-note" role="status">
        <SearchX aria-hidden="true" />
        <p>{t('No results. Try fewer words or different filters.')}</p>
      </div>
    )
  return (
    <>
      <p className="visually-hidden" role="status">
        {found.cursor === null
          ? counted(found.messages.length, '{count} message found', '{count} messages found')
          : counted(found.messages.length, '{count} message found so far', '{count} messages found so far')}
      </p>
      <GroupedHits messages={found.messages} text={found.asked.text} nameOf={nameOf} onOpen={onOpen} />
      {found.error !== null && <p role="alert">{found.error}</p>}
      {found.cursor !== null && (
        <Button className="search-more" pending={found.isLoading} onClick={onMore}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

interface GroupedHitsProps {
  messages: readonly Message[]
  /** Searched words to highlight. */
  text: string
  nameOf: NameLookup
  onOpen: () => void
}

/** Results below the names of their rooms. */
export function GroupedHits({ messages, ...hits }: GroupedHitsProps) {
  return groupsOf(messages).map((group) => (
    <section key={group[0].id} className="search-group">
      <RoomHeading roomId={roomOf(group[0])} />
      <HitList messages={group} {...hits} />
    </section>
  ))
}

function RoomHeading({ roomId }: { roomId: string | null }) {
  const room = useAppState((state) => state.rooms[roomId ?? ''])
  if (roomId === null) return null
  return <h3 dir="auto">{room === undefined ? `#${t('unknown room')}` : roomLabel(room)}</h3>
}
