import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { type ChosenStatus, chosenStatuses } from '@foyer/protocol/presence'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { statusOf } from '#src/store/presences.ts'
import { StatusMark } from './presence-mark.tsx'
import './status-menu.css'
import { choiceNotes, presenceWords } from './words.ts'

/** Choice of the user's own status. */
export function StatusMenu({ userId }: { userId: string }) {
  const { presence } = useSession()
  const current = useAppState((state) => statusOf(state, userId))
  // Idle may be automatic, and another device may have chosen another status.
  const chosen = chosenStatuses.find((status) => status === current && status !== 'idle') ?? presence.status
  return (
    <RadioGroup
      className="status-menu"
      aria-label={t('Status')}
      value={chosen}
      onValueChange={(status: ChosenStatus) => presence.choose(status)}
    >
      {chosenStatuses.map((status) => (
        <Choice key={status} status={status} />
      ))}
    </RadioGroup>
  )
}

function Choice({ status }: { status: ChosenStatus }) {
  const id = useId()
  return (
    <Radio.Root value={status} className="status-choice" aria-labelledby={id}>
      <StatusMark status={status} />
      <span id={id}>
        {presenceWords[status]}
        {choiceNotes[status] !== '' && <span className="status-note">{choiceNotes[status]}</span>}
      </span>
    </Radio.Root>
  )
}
