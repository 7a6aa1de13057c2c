import { limits } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'

interface ReasonFieldProps {
  /** The current reason, if there is one. */
  reason: string | null
  hint: string
}

export function ReasonField({ reason, hint }: ReasonFieldProps) {
  return (
    <TextField
      name="reason"
      label={t('Reason')}
      hint={hint}
      autoComplete="off"
      maxLength={limits.banReasonMax}
      defaultValue={reason ?? ''}
    />
  )
}
