import { t } from '#src/language/texts.ts'
import { Button } from '../buttons/button.tsx'
import '../fields/field.css'

/** Explains why a list could not be loaded, with a button to try again. */
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
