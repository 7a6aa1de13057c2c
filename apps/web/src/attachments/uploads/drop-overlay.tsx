import { Upload } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import './drop-overlay.css'

/** Covers the channel while files are dragged over it. */
export function DropOverlay({ place }: { place: string }) {
  return (
    <div className="drop-overlay" aria-hidden="true">
      <div className="drop-note">
        <Upload />
        <strong>{t('Drop to attach')}</strong>
        <span>{t('We’ll add the files to your message in {place}.', { place })}</span>
      </div>
    </div>
  )
}
