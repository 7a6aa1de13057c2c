import type { Report, ReportResult } from '@foyer/protocol/reports'
import { type RefObject, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { RadioChoice } from '../radio-choice.tsx'
import { resultLabels } from '../reasons.ts'
import { checkLength, countText } from '../report-text.ts'
import { changedWords } from './changed-words.ts'
import type { UpdateReport } from './decisions.tsx'

interface CloseDialogProps {
  /** The report as it was when the dialog was opened. */
  report: Report
  update: UpdateReport
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

const RESULTS: readonly (readonly [ReportResult, string])[] = [
  ['acted', resultLabels.acted],
  ['no_violation', resultLabels.no_violation],
]

/** Decides about a report, and notifies the reporter. */
export function CloseDialog({ report, update, onClose, focusAfter }: CloseDialogProps) {
  const [answer, setAnswer] = useState('')

  async function submit({ result, answer: typed = '', similar }: Values) {
    const chosen = RESULTS.find(([name]) => name === result)
    if (chosen === undefined) return
    const text = typed.trim()
    const body = {
      state: 'closed',
      result: chosen[0],
      ...(text !== '' && { answer: text }),
      ...(similar !== '' && { with_similar: true }),
    } as const
    await update(report, body, t('Report decided.'))
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Decide on the report')}
      description={t('The person who reported it sees the result and your answer, but not your name.')}
      focusAfter={focusAfter}
    >
      <SubmitForm
        fields={['result', 'answer', 'similar']}
        check={({ result = '', answer: typed = '' }) => ({
          ...(result === '' && { result: t('Choose a result.') }),
          ...checkLength('answer', typed),
        })}
        submit={submit}
        words={changedWords}
      >
        {(pending) => (
          <>
            <RadioChoice name="result" label={t('Result')} options={RESULTS} />
            <TextField
              name="answer"
              label={t('Answer')}
              hint={countText(answer) ?? t('Optional.')}
              autoComplete="off"
              render={<textarea rows={3} />}
              onValueChange={setAnswer}
            />
            {report.similar > 0 && (
              <label className="report-choice">
                <input type="checkbox" name="similar" defaultChecked />
                <span>
                  {counted(
                    report.similar,
                    'Give {count} more report about this the same result',
                    'Give {count} more reports about this the same result',
                  )}
                </span>
              </label>
            )}
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Decide')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
