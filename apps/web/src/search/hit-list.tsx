import type { Message } from '@foyer/protocol/messages'
import type { NameLookup } from '#src/store/selectors.ts'
import { SearchHit } from './search-hit.tsx'

interface HitListProps {
  messages: readonly Message[]
  /** Searched words to highlight. Empty highlights nothing. */
  text: string
  nameOf: NameLookup
  onOpen: () => void
}

/** Results in one room or conversation. */
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
