import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'

/** A note that one of the user's reports was decided. */
export function DecidedReport({ onOpen }: { onOpen: () => void }) {
  const { store } = useSession()
  const report = useAppState((state) => state.decidedReport)
  if (report === null) return null
  const dismiss = () => store.dispatch('decision_noted', null)

  function open() {
    dismiss()
    onOpen()
  }

  return (
    <p>
      {t('One of your reports was decided.')}
      <Button look="text" onClick={open}>
        {t('View report')}
      </Button>
      <Button look="text" onClick={dismiss}>
        {t('Dismiss')}
      </Button>
    </p>
  )
}
