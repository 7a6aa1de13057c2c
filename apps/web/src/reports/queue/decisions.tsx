import type { Report, UpdateReportBody } from '@foyer/protocol/reports'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { changedWords } from './changed-words.ts'

/** Updates a report. Fails if another person has changed it since the version that the user sees. */
export type UpdateReport = (report: Report, body: UpdateReportBody, outcome: string) => Promise<void>

/** A decision that a dialog asks about. */
export type Question = 'decide' | 'take-over'

export interface DecisionProps {
  report: Report
  update: UpdateReport
  ask: (question: Question, report: Report) => void
}

/** The buttons that take, release, close and reopen a report. */
export function Decisions({ report, update, ask, titleId }: DecisionProps & { titleId: string }) {
  const isMine = useAppState((state) => report.assignee_id === state.me?.id)
  const { pending, error, run } = useAction(changedWords)
  const isClosed = report.state === 'closed'
  const next = isClosed ? reopening : isMine ? releasing : taking

  function act() {
    if (report.state === 'taken' && !isMine) return ask('take-over', report)
    run(() => update(report, { state: next.state }, next.outcome))
  }

  return (
    <>
      {!isClosed && (
        <Button look="primary" aria-describedby={titleId} onClick={() => ask('decide', report)}>
          {t('Decide…')}
        </Button>
      )}
      <Button pending={pending} aria-describedby={titleId} onClick={act}>
        {report.state === 'taken' && !isMine ? t('Take over…') : next.label}
      </Button>
      <ErrorLine message={error} />
    </>
  )
}

const taking = { state: 'taken', label: t('Take report'), outcome: t('You have taken the report.') } as const
const releasing = {
  state: 'open',
  label: t('Release'),
  outcome: t('You have released the report.'),
} as const
const reopening = { state: 'open', label: t('Reopen'), outcome: t('The report is open again.') } as const
