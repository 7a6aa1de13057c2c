import type { OwnReport, ReportState } from '@foyer/protocol/reports'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { reasonLabel, resultLabels } from '../reasons.ts'
import '#src/ui/marks/badge.css'

const stateLabels: Record<ReportState, string> = {
  open: t('Not reviewed yet'),
  taken: t('In review'),
  closed: t('Decided'),
}

/** A report of the user: its target and reason, and the decision. */
export function OwnReportEntry({ report }: { report: OwnReport }) {
  const target = useAppState((state) => targetText(state, report))
  const { reason, text, state, result, answer, created_at } = report
  return (
    <li className="own-report">
      <p className="own-report-head">
        <strong dir="auto">{target}</strong>
        <span className="badge" data-state={state}>
          {stateLabels[state]}
        </span>
      </p>
      <p className="own-report-note">
        {reasonLabel(reason)} ·{' '}
        <time dateTime={created_at} title={formatFull(created_at)}>
          {formatAgo(created_at)}
        </time>
      </p>
      {text !== '' && (
        <p className="own-report-text" dir="auto">
          {text}
        </p>
      )}
      {result !== null && (
        <p className="own-report-result">
          <strong>{resultLabels[result]}</strong>
          {answer !== null && answer !== '' && <span dir="auto">{answer}</span>}
        </p>
      )}
    </li>
  )
}

function targetText(state: State, { target_type, target_id, about }: OwnReport): string {
  if (target_type === 'message') return about === '' ? t('A message') : t('Message: {text}', { text: about })
  if (target_type === 'space') return t('Space: {name}', { name: state.spaces[target_id]?.name ?? about })
  const user = state.users[target_id]
  return t('Person: {name}', { name: user === undefined ? about : personName(user) })
}
