import { useId, useRef, useState } from 'react'
import { Avatar } from '#src/presence/avatar.tsx'
import '#src/ui/popups/menu.css'
import { useListKeys } from '#src/ui/lists/use-list-keys.ts'
import './choice-input.css'
import type { Draft } from './command-values.ts'

export interface Choice {
  readonly value: NonNullable<Draft['chosen']>
  readonly label: string
  readonly note?: string
  /** Id of a person, whose avatar is shown before the name. */
  readonly userId?: string
}

interface ChoiceInputProps {
  id: string
  draft: Draft
  choices: readonly Choice[]
  placeholder: string
  /** Text shown if the list is empty; null for none. */
  note: string | null
  isInvalid: boolean
  describedBy: string | undefined
  onChange: (draft: Draft) => void
}

/** A text field with a list of choices, filtered as the user types. */
export function ChoiceInput(props: ChoiceInputProps) {
  const { id, draft, choices, note, onChange } = props
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(0)
  const index = Math.min(marked, choices.length - 1)
  const isListed = isOpen && choices.length > 0

  function pick(choice: Choice | undefined) {
    if (choice === undefined) return
    onChange({ text: choice.label, chosen: choice.value })
    setIsOpen(false)
  }

  useListKeys(input, {
    listId,
    count: isListed ? choices.length : 0,
    index,
    setIndex: setMarked,
    pick: () => pick(choices[index]),
    onClose: () => setIsOpen(false),
    goesOn: true,
    passesEscape: !isListed,
  })

  return (
    <span className="choice-input">
      <input
        ref={input}
        id={id}
        role="combobox"
        className="command-control"
        aria-expanded={isListed}
        aria-autocomplete="list"
        aria-invalid={props.isInvalid || undefined}
        aria-describedby={props.describedBy}
        autoComplete="off"
        placeholder={props.placeholder}
        value={draft.text}
        onFocus={() => setIsOpen(true)}
        onClick={() => setIsOpen(true)}
        onBlur={() => setIsOpen(false)}
        onChange={(event) => {
          setMarked(0)
          setIsOpen(true)
          onChange({ text: event.target.value, chosen: null })
        }}
      />
      {isListed && (
        <div id={listId} role="listbox" className="popover choice-list">
          {choices.map((choice, at) => (
            <button
              key={String(choice.value)}
              id={`${listId}-${at}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={at === index}
              className="choice"
              // Keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setMarked(at)}
              onClick={() => pick(choice)}
            >
              {choice.userId !== undefined && <Avatar id={choice.userId} name={choice.label} size="sm" />}
              <span className="choice-label">{choice.label}</span>
              {choice.note !== undefined && <span className="choice-note">{choice.note}</span>}
            </button>
          ))}
        </div>
      )}
      {isOpen && choices.length === 0 && note !== null && (
        <p role="status" className="popover choice-list menu-note">
          {note}
        </p>
      )}
    </span>
  )
}
