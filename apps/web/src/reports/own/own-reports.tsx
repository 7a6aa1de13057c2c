import type { OwnReport } from '@foyer/protocol/reports'
import { Reports } from '@foyer/sdk/api/reports'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Flag } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { usePeople } from '#src/session/use-people.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { OwnReportEntry } from './own-report-entry.tsx'
import './own-reports.css'

/** The user's newest reports, and their results. */
export function OwnReports() {
  const { answer, again } = useAnswer(listOwn)
  // Requests again after each event, because an answer that is still on its way may be older than the event.
  useEvent('REPORT_UPDATE', again)
  useEvent('READY', again)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.value.length === 0) {
    return (
      <EmptyNote icon={<Flag />} title={t('You haven’t reported anything')}>
        {t(
          'To report a message, a person or a space, open its menu and choose Report. You’ll see the outcome here.',
        )}
      </EmptyNote>
    )
  }
  return <List reports={answer.value} />
}

function List({ reports }: { reports: readonly OwnReport[] }) {
  usePeople(reports.filter(({ target_type }) => target_type === 'user').map(({ target_id }) => target_id))
  return (
    <div className="settings-block">
      <p className="settings-note">
        {t('Only you and the people who handle a report can see it. The reported person isn’t notified.')}
      </p>
      <ul className="own-reports" aria-label={t('Your reports')}>
        {reports.map((report) => (
          <OwnReportEntry key={report.id} report={report} />
        ))}
      </ul>
    </div>
  )
}

function listOwn(client: Client, options: CallOptions): Promise<OwnReport[]> {
  return client.api(Reports).listOwn(options)
}
