import { t } from '#src/language/texts.ts'
import { Button } from './button.tsx'
import './field.css'

/** Why a list could not be had, and the way to ask for it once more. */
export function LoadError({ message, again }: { message: string; again: () => void }) {
  return (
    <p role="alert" className="form-error">
      {message}{' '}
      <Button look="text" onClick={again}>
        {t('Try again')}
      </Button>
    </p>
  )
}
