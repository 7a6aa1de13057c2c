import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { wordsOfFilter } from './filter-names.ts'
import {
  type Asked,
  type Filter,
  isEmpty,
  nothingAsked,
  withFilter,
  withoutFilter,
} from './search-filters.ts'
import {
  dayFilterStart,
  isInFilter,
  type Nameable,
  type Suggestion,
  suggest,
  withoutLastWord,
} from './search-suggestions.ts'
import { withTypedFilters } from './typed-filters.ts'

interface SearchBoxProps {
  label: string
  asked: Asked
  nameable: Nameable
  input: RefObject<HTMLInputElement | null>
  onChange: (asked: Asked) => void
  onSearch: (asked: Asked) => void
  onClose: () => void
}

/** Input for words and filters. Suggestions for the last word are listed below. A chosen filter becomes a chip. */
export function SearchBox({ label, asked, nameable, input, onChange, onSearch, onClose }: SearchBoxProps) {
  const listId = useId()
  const [isOpen, setIsOpen] = useState(true)
  const [chosen, setChosen] = useState<number | null>(null)
  const suggestions = isOpen ? suggest(asked.text, nameable) : []
  const index = chosen ?? (isInFilter(asked.text) ? 0 : null)
  const active = index === null ? undefined : suggestions[index]
  const dayStart = dayFilterStart(asked.text)

  function change(next: Asked) {
    setIsOpen(true)
    setChosen(null)
    onChange(next)
  }

  function search(next: Asked) {
    setIsOpen(false)
    onSearch(withTypedFilters(next, nameable))
  }

  function pick(suggestion: Suggestion) {
    const rest = { ...asked, text: withoutLastWord(asked.text) }
    input.current?.focus()
    if ('start' in suggestion) return change({ ...rest, text: rest.text + suggestion.start })
    search(withFilter(rest, suggestion.filter))
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    const done = keyActions(event)[event.key]?.() ?? false
    if (done) event.preventDefault()
  }

  /** Actions by key. They return false to leave the key to the browser. */
  function keyActions({ currentTarget }: KeyboardEvent<HTMLInputElement>): Record<string, () => boolean> {
    const last = asked.filters.at(-1)
    const step = (by: number) => {
      if (suggestions.length === 0) return false
      setChosen(((index ?? (by > 0 ? -1 : 0)) + by + suggestions.length) % suggestions.length)
      return true
    }
    return {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Tab: () => {
        if (active !== undefined) pick(active)
        return active !== undefined
      },
      Enter: () => {
        if (active === undefined) search(asked)
        else pick(active)
        return true
      },
      Escape: () => {
        if (suggestions.length > 0 && asked.text !== '') setIsOpen(false)
        else onClose()
        return true
      },
      Backspace: () => {
        const isAtStart = currentTarget.selectionStart === 0 && currentTarget.selectionEnd === 0
        if (!isAtStart || last === undefined) return false
        search(withoutFilter(asked, last))
        return true
      },
    }
  }

  return (
    <div className="search-box">
      <div className="search-line">
        <Search aria-hidden="true" />
        {asked.filters.map((filter) => (
          <Chip
            key={`${filter.kind}:${filter.value}`}
            filter={filter}
            onRemove={() => {
              search(withoutFilter(asked, filter))
              input.current?.focus()
            }}
          />
        ))}
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : `${listId}-${index}`}
          placeholder={asked.filters.length === 0 ? label : ''}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          enterKeyHint="search"
          value={asked.text}
          onChange={(event) => change({ ...asked, text: event.target.value })}
          onKeyDown={onKeyDown}
          onFocus={() => setIsOpen(true)}
        />
        {!isEmpty(asked) && (
          <button
            type="button"
            className="search-clear"
            aria-label={t('Clear')}
            onClick={() => search(nothingAsked)}
          >
            <X aria-hidden="true" />
          </button>
        )}
      </div>
      {dayStart !== null && <DayField onDay={(day) => pickDay(dayStart + day)} />}
      <Suggestions id={listId} suggestions={suggestions} index={index} onPoint={setChosen} onPick={pick} />
    </div>
  )

  function pickDay(filter: string) {
    const [found] = suggest(withoutLastWord(asked.text) + filter, nameable)
    if (found !== undefined) pick(found)
  }
}

function Chip({ filter, onRemove }: { filter: Filter; onRemove: () => void }) {
  const { kind, label } = wordsOfFilter(filter)
  return (
    <button
      type="button"
      className="search-chip"
      aria-label={t('Remove filter {kind}: {label}', { kind, label })}
      onClick={onRemove}
    >
      {kind}: {label}
      <X aria-hidden="true" />
    </button>
  )
}

interface SuggestionsProps {
  id: string
  suggestions: readonly Suggestion[]
  index: number | null
  onPoint: (index: number) => void
  onPick: (suggestion: Suggestion) => void
}

function Suggestions({ id, suggestions, index, onPoint, onPick }: SuggestionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('Filters')}
      className="search-suggestions"
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, at) => (
        <button
          key={suggestion.key}
          id={`${id}-${at}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={at === index}
          // Keeps the focus in the input.
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onPoint(at)}
          onClick={() => onPick(suggestion)}
        >
          <span className="search-suggestion">{suggestion.label}</span>
          <span className="search-suggestion-detail">{suggestion.detail}</span>
        </button>
      ))}
    </div>
  )
}

/** The browser's date picker. */
function DayField({ onDay }: { onDay: (day: string) => void }) {
  return (
    <input
      type="date"
      className="search-day"
      aria-label={t('Date')}
      onChange={(event) => event.target.value !== '' && onDay(event.target.value)}
    />
  )
}
