import { t } from '#src/language/texts.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { trialText } from './trial-text.ts'
import type { TurningOn } from './use-turning-on.ts'

/** Asks before a rule that would catch most messages is turned on. */
export function ConfirmBroad({ broad, cancel }: Pick<TurningOn, 'broad' | 'cancel'>) {
  return (
    <Confirm
      open={broad !== null}
      onOpenChange={cancel}
      title={t('Turn on a rule that catches most messages?')}
      action={t('Turn on')}
      run={async () => broad?.save()}
    >
      {broad !== null && <p>{trialText(broad.trial)}</p>}
    </Confirm>
  )
}
