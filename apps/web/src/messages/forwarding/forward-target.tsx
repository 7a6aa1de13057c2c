import { DestinationSign } from '#src/switcher/destination-sign.tsx'
import type { Destination } from '#src/switcher/destinations.ts'

interface ForwardTargetProps {
  target: Destination
  isChosen: boolean
  /** Enter selects this target. */
  isNearest: boolean
  isDisabled: boolean
  problem: string | undefined
  onToggle: () => void
}

export function ForwardTarget(props: ForwardTargetProps) {
  const { target, isChosen, isNearest, isDisabled, problem, onToggle } = props
  return (
    <li className={isNearest ? 'nearest' : undefined}>
      <label className="forward-target">
        <DestinationSign destination={target} className="forward-icon" />
        <span className="forward-name" dir="auto">
          {target.name}
        </span>
        <span className="forward-note">{target.note}</span>
        <input type="checkbox" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
      </label>
      {problem !== undefined && (
        <p role="alert" className="field-error">
          {problem}
        </p>
      )}
    </li>
  )
}
