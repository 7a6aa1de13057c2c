import { useState } from 'react'
import { useOpenSettings } from '#src/account/open-settings.tsx'
import { PasskeyOffer } from '#src/account/passkeys/passkey-offer.tsx'
import { AnnouncementBanners } from '#src/announcements/announcement-banners.tsx'
import { t } from '#src/language/texts.ts'
import { NotificationOffer } from '#src/notifications/notification-offer.tsx'
import { DecisionNote } from '#src/reports/own/decision-note.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { Countdown } from '#src/ui/time/countdown.tsx'
import { useNow } from '#src/ui/time/use-now.ts'
import { useNewBuild } from '#src/worker/new-build.ts'

// All parts are in one module, because the name of every lazy chunk adds to the first load.

/**
 * Notes shown while connected: announcements, a new version, a decision about the user's report or appeal, and the
 * offers of notifications and of a passkey.
 */
export function ReadyNotes() {
  const openSettings = useOpenSettings()
  return (
    <>
      <AnnouncementBanners />
      <NewBuildNote />
      <DecisionNote onOpen={() => openSettings('reports')} />
      <NotificationOffer />
      <PasskeyOffer />
    </>
  )
}

/** Offers to reload the page for a new version. The user can put it off. */
function NewBuildNote() {
  const isThere = useNewBuild()
  const [putOff, setPutOff] = useState(false)
  if (!isThere || putOff) return null
  return (
    <p>
      {t('A new version is ready.')}
      <Button look="text" onClick={() => window.location.reload()}>
        {t('Reload')}
      </Button>
      <Button look="text" onClick={() => setPutOff(true)}>
        {t('Scheduled')}
      </Button>
    </p>
  )
}

/** Shows how long a rate-limited request has to wait. */
export function SlowedBanner({ until }: { until: number }) {
  const now = useNow(1000)
  if (now >= until) return null
  return (
    <p>
      <Countdown
        until={until}
        words={(time) => t('You’re going too fast. Foyer continues {time}.', { time })}
      />
    </p>
  )
}
