import { t } from '#src/language/texts.ts'
import { Wordmark } from '#src/ui/marks/wordmark.tsx'
import { ConnectionBanner } from './connection-banner.tsx'

/** The screen shown while the app loads. */
export function Splash() {
  return (
    <>
      <ConnectionBanner />
      <div className="splash">
        <Wordmark size="lg" />
        <p role="status">{t('Loading…')}</p>
      </div>
    </>
  )
}
