import { useId } from 'react'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatUntil } from '#src/ui/time/until.ts'
import './end-select.css'
import type { EndTime } from './end-times.ts'

interface EndSelectProps {
  label: string
  /** The chosen end, as an ISO time; null for none. */
  until: string | null
  times: readonly EndTime[]
  /** Label of the option without an end. */
  never: string
  /** Returns the label for the chosen end. */
  labelFor: (time: string) => string
  onChange: (until: string | null) => void
}

/** Choice of the time at which a status ends. A chosen end is listed as an option of its own, with its time. */
export function EndSelect({ label, until, times, never, labelFor, onChange }: EndSelectProps) {
  const id = useId()
  return (
    <div className="end-select">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={until ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(times.find((time) => time.label === value)?.until(serverNow()) ?? null)
        }
      >
        {until !== null && <option value={until}>{labelFor(formatUntil(until, serverNow()))}</option>}
        {times.map((time) => (
          <option key={time.label} value={time.label}>
            {time.label}
          </option>
        ))}
        <option value="">{never}</option>
      </select>
    </div>
  )
}
