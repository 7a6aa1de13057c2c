import { chooseLanguage, chosenLanguage } from '#src/language/choice.ts'
import { languages } from '#src/language/languages.ts'
import { t } from '#src/language/texts.ts'
import { SelectField } from '#src/ui/fields/select-field.tsx'

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
