import type { Door } from '@foyer/protocol/door'
import { DoorClosed, DoorOpen } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { useNow } from '#src/ui/time/use-now.ts'
import { CloseDoorForm } from '../../door/close-door-form.tsx'
import { doorSentence } from '../../door/door-words.ts'
import { OpenDoor } from '../../door/open-door.tsx'
import { useCloser } from '../../door/use-closer.ts'
import { HoldRecent } from './hold-recent.tsx'

/** Refresh interval of the time since the door was closed, which is shown in minutes. */
const STEP_MS = 20_000

/** The state of the door in a sentence, and the button that changes it. */
export function DoorState({ door }: { door: Door }) {
  const closer = useCloser(door)
  const isClosed = door.closed_at !== null
  useNow(STEP_MS)
  return (
    <section className="door-state" aria-label={t('Door')} data-closed={isClosed || undefined}>
      <span className="door-state-icon" aria-hidden="true">
        {isClosed ? <DoorClosed /> : <DoorOpen />}
      </span>
      <div className="door-state-texts">
        <p role="status">
          <strong>{doorSentence(door, closer)}</strong>
        </p>
        {door.closed_at === null ? (
          <>
            <p>{t('People with an invite join right away.')}</p>
            <p>
              {t(
                'To undo a raid, close the door and choose who else must wait. Then remove them and everything they wrote.',
              )}
            </p>
          </>
        ) : (
          <p>
            <time dateTime={door.closed_at} title={formatFull(door.closed_at)}>
              {t('Closed {ago}.', { ago: formatAgo(door.closed_at) })}
            </time>{' '}
            {t('People with an invite wait until a moderator lets them in.')}
          </p>
        )}
      </div>
      <div className="door-state-action">
        {isClosed ? (
          <>
            <OpenDoor spaceId={door.space_id} newcomers={door.newcomers} look="primary" />
            <HoldRecent spaceId={door.space_id} />
          </>
        ) : (
          <CloseDoorForm spaceId={door.space_id} />
        )}
      </div>
    </section>
  )
}
