import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import './tone-choice.css'

const HANDS = ['✋', '✋🏻', '✋🏼', '✋🏽', '✋🏾', '✋🏿']
const NAMES = [t('Yellow'), t('Light'), t('Medium-light'), t('Medium'), t('Medium-dark'), t('Dark')]

interface ToneChoiceProps {
  /** 0 for none, else 1 (light) to 5 (dark). */
  tone: number
  onChange: (tone: number) => void
}

/** Selects the skin tone. Shows the selected tone, and all of them once it is clicked. */
export function ToneChoice({ tone, onChange }: ToneChoiceProps) {
  const [open, setOpen] = useState(false)

  // The pressed button stays mounted and keeps the focus.
  function press(index: number) {
    onChange(index)
    setOpen(!open)
  }

  return (
    <fieldset className="tones">
      <legend className="visually-hidden">{t('Skin tone')}</legend>
      {HANDS.map(
        (hand, index) =>
          (open || index === tone) && (
            <button
              key={hand}
              type="button"
              className="tone"
              aria-label={open ? NAMES[index] : t('Skin tone: {tone}', { tone: NAMES[index] ?? '' })}
              aria-pressed={open ? index === tone : undefined}
              aria-expanded={open ? undefined : false}
              title={NAMES[index]}
              onClick={() => press(index)}
            >
              {hand}
            </button>
          ),
      )}
    </fieldset>
  )
}
