import type { Message } from '@foyer/protocol/messages'
import type { NameLookup } from '#src/store/selectors.ts'
import { SearchHit } from './search-hit.tsx'

interface HitListProps {
  messages: readonly Message[]
  /** What was searched for; nothing is marked where that is empty. */
  text: string
  nameOf: NameLookup
  onOpen: () => void
}

/** Messages that were found in one place. */
export function HitList({ messages, ...hit }: HitListProps) {
  return (
    <ul className="search-hits">
      {messages.map((message) => (
        <li key={message.id}>
          <SearchHit message={message} {...hit} />
        </li>
      ))}
    </ul>
  )
}
