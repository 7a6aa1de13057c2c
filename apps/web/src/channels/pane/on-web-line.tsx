import { Globe } from 'lucide-react'
import { useOpenSettings } from '#src/account/open-settings.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { useChannel } from '../channel-context.ts'
import './on-web-line.css'

/** Says that everyone on the internet can read what is written here, in rooms and in their threads. */
export function OnWebLine() {
  const { id } = useChannel()
  const openSettings = useOpenSettings()
  const isOnWeb = useAppState(({ rooms, threads }) => rooms[threads[id]?.parent_id ?? id]?.web !== undefined)
  if (!isOnWeb) return null
  return (
    <p className="on-web-line">
      <Globe aria-hidden="true" />
      <span>{t('Readable on the web, by everyone')}</span>
      <button type="button" onClick={() => openSettings('privacy')}>
        {t('Your name on the web')}
      </button>
    </p>
  )
}
