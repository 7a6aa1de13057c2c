import type { Report } from '@foyer/protocol/reports'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { ReportQueue } from '#src/reports/queue/report-queue.tsx'
import type { SpaceEntry } from '#src/store/state.ts'
import { AuthorSteps } from './author-steps.tsx'
import { MessageSteps } from './message-steps.tsx'

/** The reports of a space's messages. */
export function ReportsSection({ space, onLeave }: { space: SpaceEntry; onLeave: () => void }) {
  const top = useRef<HTMLDivElement>(null)
  const steps = (report: Report, titleId: string) => (
    <>
      <MessageSteps report={report} titleId={titleId} onLeave={onLeave} focusAfter={top} />
      <AuthorSteps space={space} report={report} titleId={titleId} focusAfter={top} />
    </>
  )
  return (
    <div ref={top} tabIndex={-1} className="reports-section">
      <ReportQueue
        spaceId={space.id}
        note={t('Messages that members reported. You don’t see reports about yourself.')}
        steps={steps}
      />
    </div>
  )
}
