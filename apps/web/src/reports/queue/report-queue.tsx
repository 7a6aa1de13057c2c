import type { Report, UpdateReportBody } from '@foyer/protocol/reports'
import { Inbox } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { CloseDialog } from './close-dialog.tsx'
import type { Question } from './decisions.tsx'
import { reportDoor } from './report-door.ts'
import { ReportEntry } from './report-entry.tsx'
import './report-queue.css'
import { TakeOver } from './take-over.tsx'
import { type ReportFilter, type Shown, useReports } from './use-reports.ts'

interface ReportQueueProps {
  /** The space whose moderators decide; null if operators decide. */
  spaceId: string | null
  /** Explains who sees these reports. */
  note: string
  /** Renders buttons for further actions on a report. The element with the id `titleId` describes them. */
  steps: (report: Report, titleId: string) => ReactNode
}

const SHOWN: readonly (readonly [Shown, string])[] = [
  ['open', t('Undecided')],
  ['mine', t('Taken by me')],
  ['closed', t('Decided')],
]

/** The reports that the user can decide on. */
export function ReportQueue({ spaceId, note, steps }: ReportQueueProps) {
  const [shown, setShown] = useState<Shown>('open')
  const [about, setAbout] = useState<{ id: string; name: string } | null>(null)
  const top = useRef<HTMLParagraphElement>(null)
  const showAbout = (person: { id: string; name: string } | null) => {
    // The focused button is about to disappear.
    top.current?.focus()
    setAbout(person)
  }
  const choose = (value: string) => setShown(SHOWN.find(([name]) => name === value)?.[0] ?? 'open')

  return (
    <div className="report-queue">
      <p ref={top} tabIndex={-1} className="settings-note report-queue-note">
        {note}
      </p>
      <SelectField name="shown" label={t('Show')} options={SHOWN} value={shown} onChange={choose} />
      {about !== null && (
        <p className="report-queue-about">
          <span>{t('Only reports about {name}', { name: about.name })}</span>
          <Button look="text" onClick={() => showAbout(null)}>
            {t('Show all')}
          </Button>
        </p>
      )}
      <Reports
        key={`${shown} ${about?.id}`}
        spaceId={spaceId}
        filter={{ shown, userId: about?.id ?? null }}
        steps={steps}
        onAbout={showAbout}
        top={top}
      />
    </div>
  )
}

interface ReportsProps extends Pick<ReportQueueProps, 'spaceId' | 'steps'> {
  filter: ReportFilter
  onAbout: (person: { id: string; name: string }) => void
  /** Receives the focus when the focused button disappears with its report. */
  top: RefObject<HTMLElement | null>
}

function Reports({ spaceId, filter, steps, onAbout, top }: ReportsProps) {
  const { reports, error, again, loadMore, isLoadingMore, moreError, replace } = useReports(spaceId, filter)
  const [question, setQuestion] = useState<{ about: Question; report: Report } | null>(null)
  const [outcome, setOutcome] = useState('')
  const door = reportDoor(useSession().client, spaceId)

  async function update(report: Report, body: UpdateReportBody, message: string) {
    setOutcome('')
    const { id, state, assignee_id } = report
    try {
      replace(await door.update(id, { ...body, expected: { state, assignee_id } }))
    } catch (thrown) {
      void readAgain(id)
      throw thrown
    }
    // The report disappears with its buttons, so the focus moves.
    if (filter.shown !== 'open') top.current?.focus()
    setOutcome(message)
  }

  /** Reads a report that another person has changed, so that the list and the open dialog show its current state. */
  async function readAgain(id: string) {
    again()
    const report = await door.get(id).catch(() => undefined)
    if (report !== undefined) setQuestion((now) => now && { ...now, report })
  }

  if (error !== null) return <LoadError message={error} again={again} />
  if (reports === undefined) return <Skeleton />
  const dialog = question && {
    report: question.report,
    update,
    onClose: () => setQuestion(null),
    focusAfter: top,
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {outcome}
      </p>
      {reports.length === 0 ? (
        <EmptyNote icon={<Inbox />} title={t('No reports')}>
          {emptyTexts[filter.shown]}
        </EmptyNote>
      ) : (
        <ul className="reports" aria-label={t('Reports')}>
          {reports.map((report) => (
            <ReportEntry
              key={report.id}
              spaceId={spaceId}
              report={report}
              steps={steps}
              update={update}
              ask={(about, asked) => setQuestion({ about, report: asked })}
              onAbout={filter.userId === null ? onAbout : undefined}
            />
          ))}
        </ul>
      )}
      {moreError !== null && loadMore !== null && <LoadError message={moreError} again={loadMore} />}
      {loadMore !== null && (
        <Button pending={isLoadingMore} onClick={loadMore}>
          {t('Show more')}
        </Button>
      )}
      {/* Rendered here, so that the typed text survives when the report leaves the list. */}
      {dialog !== null && question?.about === 'decide' && <CloseDialog {...dialog} />}
      {dialog !== null && question?.about === 'take-over' && <TakeOver {...dialog} />}
    </>
  )
}

const emptyTexts: Record<Shown, string> = {
  open: t('Reports waiting for a decision appear here, oldest first.'),
  mine: t('Reports that you have taken appear here.'),
  closed: t('Decided reports appear here for 180 days.'),
}
