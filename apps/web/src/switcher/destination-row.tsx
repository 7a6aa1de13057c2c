import { t } from '#src/language/texts.ts'
import { Count } from '#src/ui/marks/count.tsx'
import { DestinationSign } from './destination-sign.tsx'
import type { Destination } from './destinations.ts'

interface DestinationRowProps {
  id: string
  destination: Destination
  isMarked: boolean
  onMark: () => void
  onGo: () => void
}

export function DestinationRow({ id, destination, isMarked, onMark, onGo }: DestinationRowProps) {
  const { name, note, unread, mentions } = destination
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      className="destination"
      data-unread={unread > 0 || undefined}
      // Keeps the focus in the input.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onMark}
      onClick={onGo}
    >
      <DestinationSign destination={destination} className="destination-icon" />
      <span className="destination-name" dir="auto">
        {name}
      </span>
      {note !== '' && <span className="destination-note">{note}</span>}
      {mentions > 0 ? <Count count={mentions} isCalling /> : unread > 0 && <span className="unread-dot" />}
      {unread > 0 && <span className="visually-hidden">{t('unread')}</span>}
    </button>
  )
}
