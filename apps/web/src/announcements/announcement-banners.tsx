import type { Announcement } from '@foyer/protocol/announcements'
import { Info, TriangleAlert, X } from 'lucide-react'
import { Fragment, useState, useSyncExternalStore } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useEnd } from '#src/ui/time/use-end.ts'
import { announcementFeed } from './announcement-feed.ts'
import './announcements.css'
import { isClosed, noteClosed } from './closed.ts'
import { linkedParts } from './linked-text.ts'

/** Shows announcements of the operators, until the user closes one or it ends. */
export function AnnouncementBanners() {
  const { client } = useSession()
  const { subscribe, current } = announcementFeed(client)
  const announcements = useSyncExternalStore(subscribe, current)
  const userId = useAppState((state) => state.me?.id)
  if (userId === undefined || announcements.length === 0) return null
  return <Banners announcements={announcements} userId={userId} />
}

interface BannersProps {
  announcements: readonly Announcement[]
  userId: string
}

function Banners({ announcements, userId }: BannersProps) {
  const [, setClosedCount] = useState(0)
  const shown = announcements.filter((each) => !isClosed(window.localStorage, userId, each))

  function close(announcement: Announcement) {
    noteClosed(window.localStorage, userId, announcement)
    setClosedCount((count) => count + 1)
  }

  return shown.map((announcement) => (
    <Banner key={announcement.id} announcement={announcement} onClose={() => close(announcement)} />
  ))
}

function Banner({ announcement, onClose }: { announcement: Announcement; onClose: () => void }) {
  const { kind, text, ends_at } = announcement
  const end = useEnd(Date.parse(ends_at))
  if (end === null) return null
  const Icon = kind === 'warning' ? TriangleAlert : Info
  return (
    <div className="announcement" data-kind={kind}>
      <Icon aria-hidden="true" />
      <p dir="auto" className="announcement-text">
        {kind === 'warning' && <span className="visually-hidden">{t('Warning')}: </span>}
        <AnnouncementText text={text} />
      </p>
      <IconButton label={t('Close this announcement')} icon={<X />} onClick={onClose} />
    </div>
  )
}

/** Renders addresses as links, and everything else as plain text. */
export function AnnouncementText({ text }: { text: string }) {
  return linkedParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    <Fragment key={index}>
      {part.isLink ? (
        <a href={part.text} target="_blank" rel="noopener noreferrer nofollow">
          {part.text}
        </a>
      ) : (
        part.text
      )}
    </Fragment>
  ))
}
