import { Snowflake } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import './frozen-banner.css'

/** Banner above the messages of each room of a frozen space. */
export function FrozenBanner() {
  return (
    <p className="frozen-banner" role="status">
      <Snowflake aria-hidden="true" />
      <span>
        <strong>{t('This space is frozen by the administrators of this server.')}</strong>{' '}
        {t('You can read everything and leave, but nobody can write or change anything.')}
      </span>
    </p>
  )
}
