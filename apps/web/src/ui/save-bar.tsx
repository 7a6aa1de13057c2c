import { t } from '#src/language/texts.ts'
import { Button } from './button.tsx'
import './save-bar.css'
import { useUnsavedChanges } from './unsaved-changes.ts'
import { useFocusBack } from './use-focus-back.ts'

interface SaveBarProps {
  /** Whether the form around differs from what is saved. */
  isUnsaved: boolean
  pending: boolean
  onReset: () => void
}

/** The end of a form of settings: there when there is something to save, and in sight wherever one is in the form. */
export function SaveBar({ isUnsaved, pending, onReset }: SaveBarProps) {
  useUnsavedChanges(isUnsaved)
  const onFocus = useFocusBack(isUnsaved)
  if (!isUnsaved) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks on where the focus comes from
    <div className="save-bar" onFocus={onFocus}>
      <p role="status">{t('You have unsaved changes.')}</p>
      <Button onClick={onReset}>{t('Reset')}</Button>
      <Button type="submit" look="primary" pending={pending}>
        {t('Save changes')}
      </Button>
    </div>
  )
}
