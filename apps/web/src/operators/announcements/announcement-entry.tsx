import type { Announcement } from '@foyer/protocol/announcements'
import { Announcements } from '@foyer/sdk/api/announcements'
import { type RefObject, useState } from 'react'
import { AnnouncementText } from '#src/announcements/announcement-banners.tsx'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { formatFull } from '#src/ui/time/time.ts'
import { useEnd } from '#src/ui/time/use-end.ts'
import { Mark } from '../mark.tsx'
import { operatorWords } from '../words.ts'

interface AnnouncementEntryProps {
  announcement: Announcement
  /** Receives the focus after the announcement has ended. */
  focusAfter: RefObject<HTMLElement | null>
  onEdit: () => void
  onEnded: () => void
}

export function AnnouncementEntry({ announcement, focusAfter, onEdit, onEnded }: AnnouncementEntryProps) {
  const { client } = useSession()
  const [isEnding, setIsEnding] = useState(false)
  const { id, kind, text, starts_at, ends_at } = announcement
  const isToCome = useEnd(Date.parse(starts_at)) !== null
  const isOver = useEnd(Date.parse(ends_at)) === null
  if (isOver) return null

  async function end() {
    await client.api(Announcements).end(id)
    onEnded()
  }

  return (
    <li className="settings-row operator-row">
      <span className="settings-names">
        <span className="operator-answer" dir="auto" id={`announcement-${id}`}>
          <AnnouncementText text={text} />
        </span>
        <span className="settings-note operator-notes">
          <span>
            {kind === 'warning' ? t('Warning') : t('Information')}
            {isToCome && <Mark>{t('Not shown yet')}</Mark>}
          </span>
          <span>{t('from {time}', { time: formatFull(starts_at) })}</span>
          <span>{t('until {time}', { time: formatFull(ends_at) })}</span>
        </span>
      </span>
      <span className="settings-actions">
        <Button aria-describedby={`announcement-${id}`} onClick={onEdit}>
          {t('Edit')}
        </Button>
        <Button aria-describedby={`announcement-${id}`} onClick={() => setIsEnding(true)}>
          {t('End now')}
        </Button>
      </span>
      <Confirm
        open={isEnding}
        onOpenChange={setIsEnding}
        title={t('End this announcement?')}
        action={t('End now')}
        words={operatorWords}
        run={end}
        focusAfter={focusAfter}
      >
        <p>{t('It disappears for everyone immediately.')}</p>
      </Confirm>
    </li>
  )
}
