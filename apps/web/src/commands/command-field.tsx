import type { CommandOption } from '@foyer/protocol/commands'
import { X } from 'lucide-react'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { ChoiceInput } from './choice-input.tsx'
import type { CommandChannel } from './command-lists.ts'
import { type Draft, isOneOf } from './command-values.ts'
import { useChoices } from './use-choices.ts'
import type { Suggest } from './use-suggestions.ts'

interface CommandFieldProps {
  option: CommandOption
  channel: CommandChannel
  draft: Draft
  error: string | undefined
  onChange: (draft: Draft) => void
  /** Removes the field; null for required options. */
  onRemove: (() => void) | null
  suggest: Suggest
}

/** Field for one option of a command. */
export function CommandField(props: CommandFieldProps) {
  const { option, draft, error, onChange, onRemove } = props
  const id = useId()
  const control = {
    id,
    draft,
    isInvalid: error !== undefined,
    describedBy: `${id}-note`,
    placeholder: placeholderOf(option),
    onChange,
  }
  return (
    <div className="command-field" data-type={option.type}>
      <label className="command-label" htmlFor={id}>
        {option.name}
      </label>
      {isOneOf(option) || option.autocomplete ? (
        <OfferedChoices {...props} control={control} />
      ) : (
        <input
          id={id}
          className="command-control"
          inputMode={inputModeOf(option)}
          autoComplete="off"
          aria-invalid={control.isInvalid || undefined}
          aria-describedby={control.describedBy}
          placeholder={control.placeholder}
          value={draft.text}
          onChange={(event) => onChange({ text: event.target.value, chosen: null })}
        />
      )}
      {onRemove !== null && (
        <button
          type="button"
          className="command-remove"
          aria-label={t('Remove {name}', { name: option.name })}
          onClick={onRemove}
        >
          <X aria-hidden="true" />
        </button>
      )}
      <span
        id={`${id}-note`}
        role={error === undefined ? undefined : 'alert'}
        className={error === undefined ? 'visually-hidden' : 'command-error'}
      >
        {error ?? option.description}
      </span>
    </div>
  )
}

interface OfferedChoicesProps extends CommandFieldProps {
  control: Omit<Parameters<typeof ChoiceInput>[0], 'choices' | 'note'>
}

function OfferedChoices({ option, channel, draft, suggest, control }: OfferedChoicesProps) {
  const { choices, note } = useChoices({ option, channel, draft, suggest })
  return <ChoiceInput {...control} choices={choices} note={note} />
}

function placeholderOf({ type, description }: CommandOption): string {
  const kinds: Readonly<Record<string, string>> = {
    user: t('Someone'),
    room: t('Choose a room'),
    role: t('Choose a role'),
  }
  return kinds[type] ?? description
}

function inputModeOf({ type }: CommandOption): 'numeric' | 'decimal' | 'text' {
  if (type === 'integer') return 'numeric'
  return type === 'number' ? 'decimal' : 'text'
}
