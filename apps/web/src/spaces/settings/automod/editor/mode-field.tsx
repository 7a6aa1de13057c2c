import { t } from '#src/language/texts.ts'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { modeTexts } from '../rules/rule-texts.ts'
import type { DraftProps } from './draft-fields.tsx'

const modes = [
  {
    value: 'test',
    label: modeTexts.test,
    description: t('Records what it would catch, but does nothing. Turn it on when you’re happy with it.'),
  },
  { value: 'on', label: modeTexts.on, description: t('Acts on what it catches.') },
  { value: 'off', label: modeTexts.off, description: t('Does nothing.') },
] as const

export function ModeField({ draft, onChange }: DraftProps) {
  return (
    <OptionCards
      label={t('Mode')}
      options={modes}
      value={draft.mode}
      onChange={(mode) => onChange({ ...draft, mode })}
    />
  )
}
