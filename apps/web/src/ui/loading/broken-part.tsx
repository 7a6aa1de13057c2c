import { t } from '#src/language/texts.ts'
import { Button } from '../buttons/button.tsx'
import './broken-part.css'

interface BrokenPartProps {
  title: string
  children: string
  retry?: () => void
}

/** Replaces a component that failed to load or render. */
export function BrokenPart({ title, children, retry }: BrokenPartProps) {
  return (
    <div className="pane-note broken-part" role="alert">
      <h2>{title}</h2>
      <p>{children}</p>
      <div className="broken-part-ways">
        {retry !== undefined && <Button onClick={retry}>{t('Try again')}</Button>}
        <Button onClick={() => window.location.reload()}>{t('Reload')}</Button>
      </div>
    </div>
  )
}
