import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { checkGiven } from './check.ts'
import { CodeField } from './code-field.tsx'
import { authWords } from './words.ts'

interface CodeStepProps {
  signIn: (code: string) => Promise<void>
  onBack: () => void
}

/** Asks for a code of the second factor, after the right password. */
export function CodeStep({ signIn, onBack }: CodeStepProps) {
  return (
    <SubmitForm
      fields={['code']}
      check={(values: Values) => checkGiven(values, 'code', t('Enter a code.'))}
      submit={({ code = '' }) => signIn(code.trim())}
      beginsHere
      words={authWords}
    >
      {(pending) => (
        <>
          <p>{t('Your account is protected by a second step.')}</p>
          <CodeField />
          <Button type="submit" look="primary" pending={pending}>
            {t('Sign in')}
          </Button>
          <Button look="text" onClick={onBack}>
            {t('Back')}
          </Button>
        </>
      )}
    </SubmitForm>
  )
}
