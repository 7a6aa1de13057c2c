import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import './field.css'
import './search-field.css'

interface SearchFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  input?: RefObject<HTMLInputElement | null> | undefined
  /** Handles Enter in a non-empty field. Without it, Enter submits the surrounding form. */
  onEnter?: () => void
}

/** Filters a list while typing. */
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
          // The first Escape empties the field. Only the next one closes the surrounding dialog.
          if (event.key === 'Escape' && value !== '') event.stopPropagation()
          if (event.key !== 'Enter' || value === '' || onEnter === undefined) return
          event.preventDefault()
          if (!event.nativeEvent.isComposing) onEnter()
        }}
      />
    </div>
  )
}
