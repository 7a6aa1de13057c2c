import { MAX_REGISTRATION_TEXT_CHARACTERS } from '@foyer/protocol/limits'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { countCharacters } from '#src/ui/fields/characters.ts'
import { TextField } from '#src/ui/fields/field.tsx'

/** The operators' question with a field for the answer. An answer that is too long is not cut: the user shortens it. */
export function AnswerField({ question }: { question: string }) {
  const [answer, setAnswer] = useState('')
  return (
    <fieldset className="auth-question">
      <legend dir="auto">{question}</legend>
      <TextField
        name="answer"
        label={t('Your answer')}
        hint={countCharacters(answer, MAX_REGISTRATION_TEXT_CHARACTERS)}
        autoComplete="off"
        render={<textarea rows={4} />}
        onValueChange={setAnswer}
      />
    </fieldset>
  )
}
