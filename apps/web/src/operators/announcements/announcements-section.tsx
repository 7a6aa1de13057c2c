import type { Announcement } from '@foyer/protocol/announcements'
import { MAX_ANNOUNCEMENTS } from '@foyer/protocol/limits'
import { Announcements } from '@foyer/sdk/api/announcements'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Megaphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { operatorWords } from '../words.ts'
import { AnnouncementEntry } from './announcement-entry.tsx'
import { AnnouncementForm } from './announcement-form.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Announcements).listAll(options)

/** Banners for everyone on this server. */
export function AnnouncementsSection() {
  const { answer, again } = useAnswer(ask, operatorWords)
  const heading = useRef<HTMLHeadingElement>(null)
  const [edited, setEdited] = useState<Announcement | 'new' | null>(null)
  useEvent('ANNOUNCEMENTS_UPDATE', again)
  useEvent('READY', again)
  return (
    <section className="operator-part" aria-labelledby="operator-announcements">
      <div className="operator-part-head">
        <h4 ref={heading} tabIndex={-1} id="operator-announcements">
          {t('Announcements for everyone')}
        </h4>
        <Button
          disabled={answer.state === 'here' && answer.value.length >= MAX_ANNOUNCEMENTS}
          onClick={() => setEdited('new')}
        >
          <Megaphone aria-hidden="true" /> {t('Write an announcement')}
        </Button>
      </div>
      <p className="settings-note">
        {t(
          'Everyone who’s signed in sees these at the top until they end or are closed. Up to {max} at a time.',
          { max: MAX_ANNOUNCEMENTS },
        )}
      </p>
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      {answer.state === 'loading' && <Skeleton />}
      {answer.state === 'here' && answer.value.length === 0 && (
        <p className="settings-note">{t('There are no announcements.')}</p>
      )}
      {answer.state === 'here' && answer.value.length > 0 && (
        <ul className="settings-list" aria-labelledby="operator-announcements">
          {answer.value.map((announcement) => (
            <AnnouncementEntry
              key={announcement.id}
              announcement={announcement}
              focusAfter={heading}
              onEdit={() => setEdited(announcement)}
              onEnded={again}
            />
          ))}
        </ul>
      )}
      {edited !== null && (
        <AnnouncementForm
          announcement={edited === 'new' ? null : edited}
          onSaved={again}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}
