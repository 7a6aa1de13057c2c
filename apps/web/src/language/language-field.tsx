import { SelectField } from '#src/ui/fields/select-field.tsx'
import { chooseLanguage, chosenLanguage } from './choice.ts'
import { languages } from './languages.ts'
import { t } from './texts.ts'

/** Choice of the language of the client. */
export function LanguageField() {
  return (
    <SelectField
      name="language"
      label={t('Language')}
      value={chosenLanguage() ?? ''}
      options={[['', t('Browser language')], ...languages.map(({ code, name }) => [code, name] as const)]}
      onChange={(code) => chooseLanguage(code === '' ? null : code)}
    />
  )
}
