import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import './field.css'
import './search-field.css'

interface SearchFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  input?: RefObject<HTMLInputElement | null> | undefined
  /** What Enter means while something is written; without it the form around it is sent. */
  onEnter?: () => void
}

/** Narrows a list down as one types. */
export function SearchField({ label, value, onChange, input, onEnter }: SearchFieldProps) {
  return (
    <div className="search-field">
      <Search aria-hidden="true" />
      <input
        ref={input}
        type="search"
        dir="auto"
        className="field-control"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // Empties the field, and leaves the dialog around it for the next time.
          if (event.key === 'Escape' && value !== '') event.stopPropagation()
          if (event.key !== 'Enter' || value === '' || onEnter === undefined) return
          event.preventDefault()
          if (!event.nativeEvent.isComposing) onEnter()
        }}
      />
    </div>
  )
}
