import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import './setup.css'

type State = 'good' | 'note' | 'bad'

const icons = { good: CircleCheck, note: Info, bad: CircleAlert } as const
const labels: Record<State, string> = { good: t('Works'), note: t('Please note'), bad: t('Doesn’t work') }

interface OutcomeProps {
  state: State
  title: string
  children?: ReactNode
}

/** An item of a list of checks, with its state. */
export function Outcome({ state, title, children }: OutcomeProps) {
  const Icon = icons[state]
  return (
    <li className="setup-entry" data-state={state}>
      <Icon aria-hidden="true" />
      <div>
        <strong>
          <span className="visually-hidden">{labels[state]}: </span>
          {title}
        </strong>
        <p>{children}</p>
      </div>
    </li>
  )
}
