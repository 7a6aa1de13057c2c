import { ArrowDown } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import './jump-bar.css'
import { unreadText } from './list-parts.tsx'

/** Returns to the latest messages. */
export function PresentButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Button className="jump-button" onClick={onClick}>
      <ArrowDown aria-hidden="true" /> {t('Jump to latest')}{' '}
      {count > 0 && <span className="jump-count">{unreadText(count)}</span>}
    </Button>
  )
}
