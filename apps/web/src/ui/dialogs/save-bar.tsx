import { t } from '#src/language/texts.ts'
import { Button } from '../buttons/button.tsx'
import './save-bar.css'
import { useFocusBack } from '../focus/use-focus-back.ts'
import { useUnsavedChanges } from './unsaved-changes.ts'

interface SaveBarProps {
  /** True if the form differs from the saved values. */
  isUnsaved: boolean
  pending: boolean
  onReset: () => void
}

/** Save and reset buttons of a settings form. Visible while there are unsaved changes, wherever the form is scrolled. */
export function SaveBar({ isUnsaved, pending, onReset }: SaveBarProps) {
  useUnsavedChanges(isUnsaved)
  const onFocus = useFocusBack(isUnsaved)
  if (!isUnsaved) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes where the focus comes from
    <div className="save-bar" onFocus={onFocus}>
      <p role="status">{t('You have unsaved changes.')}</p>
      <Button onClick={onReset}>{t('Reset')}</Button>
      <Button type="submit" look="primary" pending={pending}>
        {t('Save changes')}
      </Button>
    </div>
  )
}
