import type { ServerOverview } from '@foyer/protocol/server-health'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { t } from '#src/language/texts.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatAmount, formatCount } from '../amounts.ts'
import './figures.css'

/** Counts of accounts, spaces, messages and files on the server. */
export function Figures({ overview }: { overview: ServerOverview }) {
  const { people, active_day, active_week, active_at, spaces, messages, storage_bytes } = overview
  const [oldest] = overview.processes
  const figures: readonly (readonly [string, string])[] = [
    [t('People'), formatCount(people)],
    [t('Active today'), activeText(active_day, active_at)],
    [t('Active this week'), activeText(active_week, active_at)],
    [t('Spaces'), formatCount(spaces)],
    [t('Messages'), formatCount(messages)],
    [t('Files'), formatCount(storage_bytes, formatSize)],
    [t('Connections'), formatAmount(overview.connections)],
    [t('In voice'), formatAmount(overview.in_voice)],
    [t('Version'), overview.version],
    [t('Started'), oldest === undefined ? t('unknown') : formatAgo(oldest.started_at)],
    [t('Processes'), formatAmount(overview.processes.length)],
  ]
  return (
    <dl className="figures">
      {figures.map(([label, value]) => (
        <div key={label} className="figure">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Formats a count of active people with its age, because people are counted once an hour. */
function activeText(count: number | null, at: string | null): string {
  if (count === null || at === null) return t('not counted yet')
  return t('{count} ({ago})', { count: formatAmount(count), ago: formatAgo(at) })
}
