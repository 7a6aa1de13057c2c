import { useId } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { t } from '#src/language/texts.ts'
import './usage-bar.css'

interface UsageBarProps {
  label: string
  usedBytes: number
  /** Null for no limit. */
  maxBytes: number | null
}

/** Used share of the limit at which the bar starts to warn. */
const NEARLY_FULL = 0.9

export function UsageBar({ label, usedBytes, maxBytes }: UsageBarProps) {
  const id = useId()
  if (maxBytes === null)
    return <p className="usage-text">{t('{size} used, no limit', { size: formatSize(usedBytes) })}</p>
  const share = Math.min(1, usedBytes / maxBytes)
  return (
    <div className="usage">
      <meter
        className="usage-bar"
        aria-label={label}
        aria-describedby={id}
        max={maxBytes}
        high={maxBytes * NEARLY_FULL}
        optimum={0}
        value={Math.min(usedBytes, maxBytes)}
      />
      <p id={id} className="usage-text">
        {t('{used} of {size} used', { used: formatSize(usedBytes), size: formatSize(maxBytes) })}
        {share >= NEARLY_FULL && ` · ${share >= 1 ? t('full') : t('nearly full')}`}
      </p>
    </div>
  )
}
