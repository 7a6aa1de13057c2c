import { t } from '#src/language/texts.ts'
import './skeleton.css'

const ROWS = ['first', 'second', 'third', 'fourth'] as const

/** Placeholder for a list that is loading. */
export function Skeleton({ rows = 3 }: { rows?: 1 | 2 | 3 | 4 }) {
  return (
    <div className="skeleton" role="status" aria-label={t('Loading…')}>
      {ROWS.slice(0, rows).map((row) => (
        <div key={row} className="skeleton-row">
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
