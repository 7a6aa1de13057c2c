import type { Message } from '@foyer/protocol/messages'
import { SearchX } from 'lucide-react'
import { counted, t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { groupsOf, placeOf, roomOf, threadOf } from './hit-groups.ts'
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
      <GroupedHits
        messages={found.messages}
        titles={found.titles}
        text={found.asked.text}
        nameOf={nameOf}
        onOpen={onOpen}
      />
      {found.error !== null && <p role="alert">{found.error}</p>}
      {found.cursor !== null && (
        <Button className="search-more" pending={found.isLoading} onClick={onMore}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

/** Titles of threads and posts by their ids. */
export type Titles = Readonly<Record<string, string>>

interface GroupedHitsProps {
  messages: readonly Message[]
  /** Omitted if messages of threads are grouped by room instead of by thread. */
  titles?: Titles
  /** Searched words to highlight. */
  text: string
  nameOf: NameLookup
  onOpen: () => void
}

/** Results below the names of their rooms, threads or posts. */
export function GroupedHits({ messages, titles, ...hits }: GroupedHitsProps) {
  return groupsOf(messages, titles && placeOf).map((group) => (
    <section key={group[0].id} className="search-group">
      <PlaceHeading message={group[0]} titles={titles} />
      <HitList messages={group} {...hits} />
    </section>
  ))
}

function PlaceHeading({ message, titles }: { message: Message; titles: Titles | undefined }) {
  const roomId = roomOf(message)
  const threadId = threadOf(message) ?? ''
  const room = useAppState((state) => state.rooms[roomId ?? ''])
  const title = useAppState((state) => state.threads[threadId]?.name) ?? titles?.[threadId]
  if (roomId === null) return null
  const label = room === undefined ? `#${t('unknown room')}` : roomLabel(room)
  if (titles === undefined || title === undefined) return <h3 dir="auto">{label}</h3>
  return (
    <h3>
      <bdi className="search-group-title">{title}</bdi> <bdi>{t('in {room}', { room: label })}</bdi>
    </h3>
  )
}
