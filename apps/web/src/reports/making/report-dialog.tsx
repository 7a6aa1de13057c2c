import type { CreateReportBody } from '@foyer/protocol/reports'
import type { User } from '@foyer/protocol/users'
import { type ReactNode, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'
import { ReportForm } from './report-form.tsx'
import { ReportSent } from './report-sent.tsx'

interface ReportDialogProps {
  title: string
  /** Name of the space whose moderators decide; null if the administrators of the server do. */
  spaceName: string | null
  /** Explains who is not notified of the report. */
  privacyNote: string
  /** Returns the target of the report. Called when the report is sent. */
  target: () => Omit<CreateReportBody, 'reason' | 'text'>
  /** Author of the reported message or space, or the reported user, whom the reporter can then block. */
  author: User | null
  onClose: () => void
  /** Preview of the target. */
  children: ReactNode
}

/** Reports a target: shows it, asks for the reason, and explains the next steps. */
export function ReportDialog(props: ReportDialogProps) {
  const { title, spaceName, privacyNote, target, author, onClose, children } = props
  const [isSent, setIsSent] = useState(false)
  if (isSent) {
    return (
      <Modal open onOpenChange={onClose} title={t('Thanks for your report')} focusAfter={mainElement}>
        <ReportSent spaceName={spaceName} author={author} onClose={onClose} />
      </Modal>
    )
  }
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={title}
      description={`${readers(spaceName)} ${privacyNote}`.trim()}
      focusAfter={mainElement}
    >
      <ReportForm target={target} onSent={() => setIsSent(true)} onCancel={onClose}>
        {children}
      </ReportForm>
    </Modal>
  )
}

function readers(spaceName: string | null): string {
  return spaceName === null
    ? t('The administrators of this server will review your report and see your name.')
    : t('The moderators of {space} will review your report and see your name.', { space: spaceName })
}
