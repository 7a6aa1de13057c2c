import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { type ChosenStatus, chosenStatuses } from '@foyer/protocol/presence'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { EndSelect } from './end-select.tsx'
import { statusEnds } from './end-times.ts'
import { StatusMark } from './presence-mark.tsx'
import './status-menu.css'
import { useStatus } from './use-status.ts'
import { choiceNotes, presenceWords } from './words.ts'

/** Choice of the user's own status, on all of their devices. */
export function StatusMenu() {
  const { status: chosen, status_until: until, error, choose } = useStatus()
  return (
    <>
      <RadioGroup
        className="status-menu"
        aria-label={t('Status')}
        value={chosen}
        onValueChange={(status: ChosenStatus) => choose({ status, status_until: null })}
      >
        {chosenStatuses.map((status) => (
          <Choice key={status} status={status} />
        ))}
      </RadioGroup>
      {(chosen === 'dnd' || chosen === 'invisible') && (
        <EndSelect
          label={t('Duration')}
          until={until}
          times={statusEnds}
          never={t('Until I change it')}
          labelFor={(time) => t('Until {time}', { time })}
          onChange={(status_until) => choose({ status: chosen, status_until })}
        />
      )}
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </>
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
