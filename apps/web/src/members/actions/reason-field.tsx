import { limits } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'

/** @param reason the current reason, if there is one */
export function ReasonField({ reason }: { reason: string | null }) {
  return (
    <TextField
      name="reason"
      label={t('Reason')}
      hint={t('Optional. Only administrators can see it.')}
      autoComplete="off"
      maxLength={limits.banReasonMax}
      defaultValue={reason ?? ''}
    />
  )
}
