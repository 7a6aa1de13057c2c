import type { Report } from '@foyer/protocol/reports'
import { type ReactNode, useId } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { reasonLabel, resultLabels } from '../reasons.ts'
import { type DecisionProps, Decisions } from './decisions.tsx'
import { ReportCopy } from './report-copy.tsx'
import { ReportNotes } from './report-notes.tsx'
import { nameOfReported } from './reported-name.ts'
import '#src/ui/marks/badge.css'

interface ReportEntryProps extends DecisionProps {
  spaceId: string | null
  /** Renders buttons for further actions. The element with the id `titleId` describes them. */
  steps: (report: Report, titleId: string) => ReactNode
  onAbout: ((person: { id: string; name: string }) => void) | undefined
}

/** A report: reporter, target and reason, the copy, its state, and the possible actions. */
export function ReportEntry(props: ReportEntryProps) {
  const { spaceId, report, steps, onAbout } = props
  const { reporter, reason, text, created_at, similar, result, answer, user_id } = report
  const id = useId()
  const state = useAppState((now) => stateText(now, report))
  const name = nameOfReported(report)
  return (
    <li className="report" aria-labelledby={`${id} ${id}-facts`}>
      <p className="report-head">
        <strong id={id}>{titleOf(report, name)}</strong>
        <span className="badge" data-state={report.state}>
          {state}
        </span>
      </p>
      <p id={`${id}-facts`} className="settings-note report-facts">
        <span>{t('Reported by {name}', { name: personName(reporter) })}</span>
        <time dateTime={created_at} title={formatFull(created_at)}>
          {formatAgo(created_at)}
        </time>
        <span>{reasonLabel(reason)}</span>
        {similar > 0 && (
          <span>{counted(similar, '{count} more report about this', '{count} more reports about this')}</span>
        )}
      </p>
      {text !== '' && (
        <p className="settings-quote" dir="auto">
          {text}
        </p>
      )}
      <ReportCopy report={report} />
      {result !== null && (
        <p className="report-result">
          <strong>{resultLabels[result]}</strong>
          {answer !== null && <span dir="auto">{answer}</span>}
        </p>
      )}
      <div className="report-buttons">
        <Decisions {...props} titleId={id} />
        {steps(report, id)}
        {onAbout !== undefined && user_id !== null && name !== null && (
          <Button look="text" onClick={() => onAbout({ id: user_id, name })}>
            {t('Reports about {name}', { name })}
          </Button>
        )}
      </div>
      <ReportNotes spaceId={spaceId} reportId={report.id} titleId={id} />
    </li>
  )
}

function titleOf({ target_type }: Report, name: string | null): string {
  if (name === null) return t('A message')
  if (target_type === 'message') return t('Message by {name}', { name })
  return target_type === 'space' ? t('Space: {name}', { name }) : t('Person: {name}', { name })
}

function stateText({ me, users }: State, { state, assignee_id, closed_by }: Report): string {
  if (state === 'open') return t('Not reviewed yet')
  const id = state === 'taken' ? assignee_id : closed_by
  const user = id === null ? undefined : users[id]
  if (state === 'taken') {
    if (id === me?.id) return t('Taken by you')
    return user === undefined ? t('In review') : t('Taken by {name}', { name: personName(user) })
  }
  return user === undefined ? t('Decided') : t('Decided by {name}', { name: personName(user) })
}
