import { counted } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { linesOf } from './lines.ts'
import { type NumberField, numberLimits } from './number-limits.ts'
import type { RuleDraft } from './rule-draft.ts'

export interface DraftProps {
  draft: RuleDraft
  onChange: (draft: RuleDraft) => void
}

interface LinesFieldProps extends DraftProps {
  name: 'words' | 'allowed' | 'hosts' | 'content_types' | 'sha256'
  label: string
  hint: string
}

/** A field for a list with one item per line. Its hint shows the number of items. */
export function LinesField({ name, label, hint, draft, onChange }: LinesFieldProps) {
  const count = linesOf(draft[name]).length
  return (
    <TextField
      name={name}
      label={label}
      hint={count === 0 ? hint : `${counted(count, '{count} line', '{count} lines')} · ${hint}`}
      autoComplete="off"
      spellCheck={false}
      value={draft[name]}
      onValueChange={(value) => onChange({ ...draft, [name]: value })}
      render={<textarea rows={5} />}
    />
  )
}

interface NumberInputProps extends DraftProps {
  name: NumberField
  label: string
}

export function NumberInput({ name, label, draft, onChange }: NumberInputProps) {
  const [min, max] = numberLimits[name]
  return (
    <TextField
      name={name}
      type="number"
      inputMode="numeric"
      label={label}
      min={min}
      max={max}
      value={draft[name]}
      onValueChange={(value) => onChange({ ...draft, [name]: value })}
    />
  )
}
