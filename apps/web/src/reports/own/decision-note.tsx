import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'

/** A note that one of the user's reports or appeals was decided. */
export function DecisionNote({ onOpen }: { onOpen: () => void }) {
  const { store } = useSession()
  const decision = useAppState((state) => state.decision)
  if (decision === null) return null
  const dismiss = () => store.dispatch('decision_noted', null)

  function open() {
    dismiss()
    onOpen()
  }

  return (
    <p>
      {decision === 'report' ? t('One of your reports was decided.') : t('Your appeal was decided.')}
      <Button look="text" onClick={open}>
        {decision === 'report' ? t('View report') : t('View decision')}
      </Button>
      <Button look="text" onClick={dismiss}>
        {t('Dismiss')}
      </Button>
    </p>
  )
}
