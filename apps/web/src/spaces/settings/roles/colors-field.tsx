import { Plus, X } from 'lucide-react'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import './colors-field.css'

interface ColorsFieldProps {
  /** Up to three CSS colours. */
  colors: readonly string[]
  onChange: (colors: readonly string[]) => void
}

const MAX_COLORS = 3
const BLACK = '#000000'

const presets = [
  [t('Red'), '#c0392b'],
  [t('Orange'), '#d35400'],
  [t('Gold'), '#b7860b'],
  [t('Green'), '#2e8b57'],
  [t('Teal'), '#12857e'],
  [t('Blue'), '#2f6fc0'],
  [t('Violet'), '#6a4fc4'],
  [t('Pink'), '#b0458f'],
] as const

const slotLabels = [
  { color: t('First colour'), remove: t('Remove first colour') },
  { color: t('Second colour'), remove: t('Remove second colour') },
  { color: t('Third colour'), remove: t('Remove third colour') },
] as const

/** The colours of a role: none, one, or a gradient of two or three. */
export function ColorsField({ colors, onChange }: ColorsFieldProps) {
  const [next] = presets.filter(([, preset]) => !colors.includes(preset))
  return (
    <fieldset className="colors-field">
      <legend className="field-label">{t('Colour')}</legend>
      <p className="field-hint">
        <RichText
          text={t('Preview: <name>Mira Lindqvist</name>')}
          tags={{
            name: (inside) => (
              <strong>
                <ColoredName colors={colors}>{inside}</ColoredName>
              </strong>
            ),
          }}
        />
      </p>
      {colors.length > 0 && (
        <ul className="colors-chosen">
          {colors.map((color, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: colours have no id but their index, and may repeat
            <li key={index}>
              <input
                type="color"
                aria-label={colors.length === 1 ? t('Colour') : slotLabels[index]?.color}
                value={color}
                onChange={(event) => onChange(colors.with(index, event.target.value))}
              />
              <IconButton
                label={colors.length === 1 ? t('Remove colour') : (slotLabels[index]?.remove ?? '')}
                icon={<X />}
                onClick={() => onChange(colors.toSpliced(index, 1))}
              />
            </li>
          ))}
          {colors.length < MAX_COLORS && (
            <li>
              <Button onClick={() => onChange([...colors, next?.[1] ?? BLACK])}>
                <Plus aria-hidden="true" /> {colors.length === 1 ? t('Create a gradient') : t('Add a colour')}
              </Button>
            </li>
          )}
        </ul>
      )}
      {colors.length === 0 && (
        <ul className="colors-chosen">
          {presets.map(([name, preset]) => (
            <li key={preset}>
              <button
                type="button"
                className="color-preset"
                style={{ background: preset }}
                aria-label={name}
                onClick={() => onChange([preset])}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
