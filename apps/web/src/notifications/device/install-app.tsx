import { Download } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useInstall } from './install.ts'
import { canAddToHomeScreen } from './platform.ts'

/** Offers to install the app. Renders nothing if the browser cannot, or if it is already installed. */
export function InstallApp() {
  const install = useInstall()
  if (canAddToHomeScreen()) {
    return (
      <section className="settings-block">
        <h4>{t('Foyer on your Home Screen')}</h4>
        <p className="settings-note">
          {t('In Safari, tap Share, then “Add to Home Screen”. Foyer can then send you notifications too.')}
        </p>
      </section>
    )
  }
  if (install === null) return null
  return (
    <section className="settings-block">
      <h4>{t('Foyer as an app')}</h4>
      <p className="settings-note">{t('Opens in its own window, with its own icon.')}</p>
      <div className="form-actions">
        <Button onClick={install}>
          <Download aria-hidden="true" /> {t('Install Foyer')}
        </Button>
      </div>
    </section>
  )
}
