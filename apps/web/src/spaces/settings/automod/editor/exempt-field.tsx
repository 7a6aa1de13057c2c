import { counted, t } from '#src/language/texts.ts'

interface ExemptFieldProps {
  label: string
  /** Pairs of id and name. */
  options: readonly (readonly [id: string, name: string])[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Selects roles or rooms that are exempt from a rule. Collapsed at first, since most rules have none. */
export function ExemptField({ label, options, chosen, onChange }: ExemptFieldProps) {
  function toggle(id: string, isChosen: boolean) {
    onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))
  }

  return (
    <details className="automod-exempt">
      <summary>
        {label}:{' '}
        {chosen.length === 0 ? t('None') : counted(chosen.length, '{count} selected', '{count} selected')}
      </summary>
      <fieldset>
        <legend className="visually-hidden">{label}</legend>
        {options.length === 0 && <p className="settings-note">{t('There is nothing to choose from yet.')}</p>}
        {options.map(([id, name]) => (
          <label key={id} className="automod-check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) => toggle(id, target.checked)}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
