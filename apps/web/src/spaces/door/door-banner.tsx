import { DoorClosed, DoorOpen } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { SpaceDialogs } from '../space-dialogs.tsx'
import { doorSentence, waitingSentence } from './door-words.ts'
import './door-banner.css'
import { OpenDoor } from './open-door.tsx'
import { useCloser } from './use-closer.ts'
import { useDoor } from './use-door.ts'

/** Banner above the messages of each room, shown to moderators while the door is closed or newcomers wait. */
export function DoorBanner({ spaceId, roomId }: { spaceId: string; roomId: string }) {
  const closed_at = useAppState((state) => state.spaces[spaceId]?.door_closed_at ?? null)
  const isClosed = closed_at !== null
  // Requests the details only while the door is closed, so that opening a room usually requests nothing but messages.
  const { door } = useDoor(spaceId, isClosed)
  const openDialog = useOpenDialog()
  const closer = useCloser(door ?? { space_id: spaceId, closed_by: null })
  const newcomers = door?.newcomers ?? 0
  if (!isClosed && newcomers === 0) return null

  function look() {
    const dialog = { kind: 'door', spaceId, roomId } as const
    openDialog((close) => <SpaceDialogs dialog={dialog} onClose={close} />)
  }

  const waiting = door === undefined ? undefined : waitingSentence({ closed_at, newcomers })
  return (
    <section className="door-banner" aria-label={t('Door')} data-closed={isClosed || undefined}>
      {isClosed ? <DoorClosed aria-hidden="true" /> : <DoorOpen aria-hidden="true" />}
      <p className="door-banner-text">
        <span role="status">{doorSentence({ closed_at, cause: door?.cause ?? null }, closer)}</span> {waiting}
      </p>
      <div className="door-banner-buttons">
        <Button onClick={look}>{newcomers > 0 ? t('See who’s waiting') : t('Raid protection')}</Button>
        {isClosed && <OpenDoor spaceId={spaceId} newcomers={newcomers} />}
      </div>
    </section>
  )
}
