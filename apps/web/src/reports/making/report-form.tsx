import type { CreateReportBody } from '@foyer/protocol/reports'
import { Reports } from '@foyer/sdk/api/reports'
import { type ReactNode, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { Words } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { RadioChoice } from '../radio-choice.tsx'
import { reasonLabels } from '../reasons.ts'
import { checkReport, countText } from '../report-text.ts'

interface ReportFormProps {
  target: () => Omit<CreateReportBody, 'reason' | 'text'>
  onSent: () => void
  onCancel: () => void
  children: ReactNode
}

const words: Words = {
  already_reported: t('You’ve already reported this. It hasn’t been decided yet.'),
  reporting_oneself: t('You can’t report yourself.'),
  unknown_message: t('This message was deleted, or you no longer have access to it.'),
  unknown_user: t('This account no longer exists.'),
  unknown_space: t('This space no longer exists, or the invite is no longer valid.'),
}

/** Asks for the reason of a report, and for more about it. */
export function ReportForm({ target, onSent, onCancel, children }: ReportFormProps) {
  const { client } = useSession()
  const [text, setText] = useState('')

  async function send({ reason, text: typed = '' }: Values) {
    const chosen = reasonLabels.find(([name]) => name === reason)
    if (chosen === undefined) return
    await client.api(Reports).create({ ...target(), reason: chosen[0], text: typed.trim() })
    onSent()
  }

  return (
    <SubmitForm fields={['reason', 'text']} check={checkReport} submit={send} words={words}>
      {(pending) => (
        <>
          {children}
          <RadioChoice name="reason" label={t('What’s wrong?')} options={reasonLabels} />
          <TextField
            name="text"
            label={t('Anything else they should know?')}
            hint={countText(text) ?? t('Optional.')}
            autoComplete="off"
            render={<textarea rows={3} />}
            onValueChange={setText}
          />
          <div className="form-actions">
            <Button onClick={onCancel}>{t('Cancel')}</Button>
            <Button type="submit" look="danger" pending={pending}>
              {t('Send report')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
