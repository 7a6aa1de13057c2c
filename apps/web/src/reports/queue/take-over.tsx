import type { Report } from '@foyer/protocol/reports'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { changedWords } from './changed-words.ts'
import type { UpdateReport } from './decisions.tsx'

interface TakeOverProps {
  /** The report as it was when the dialog was opened. */
  report: Report
  update: UpdateReport
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

/** Asks before the user takes a report from another person. */
export function TakeOver({ report, update, onClose, focusAfter }: TakeOverProps) {
  const { assignee_id } = report
  const user = useAppState((state) => (assignee_id === null ? undefined : state.users[assignee_id]))
  const name = user === undefined ? t('Someone else') : personName(user)
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Take over this report?')}
      action={t('Take over')}
      look="primary"
      words={changedWords}
      run={() => update(report, { state: 'taken' }, t('You have taken the report.'))}
      focusAfter={focusAfter}
    >
      <p>{t('{name} has taken it, and may be working on it.', { name })}</p>
    </Confirm>
  )
}
