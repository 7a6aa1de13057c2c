import { ArrowDown } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import './jump-bar.css'
import { newsWords } from './list-furniture.tsx'

/** The way back from the past. */
export function PresentButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Button className="jump-button" onClick={onClick}>
      <ArrowDown aria-hidden="true" /> {t('Jump to present')}{' '}
      {count > 0 && <span className="jump-count">{newsWords(count)}</span>}
    </Button>
  )
}
