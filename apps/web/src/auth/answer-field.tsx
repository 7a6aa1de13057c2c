import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { charactersLeft, overLimit } from './sign-up-rules.ts'

/** Characters left when the field begins to count. */
const COUNTS_FROM = 200

/** The operators' question with a field for the answer. An answer that is too long is not cut: the user shortens it. */
export function AnswerField({ question }: { question: string }) {
  const [answer, setAnswer] = useState('')
  return (
    <fieldset className="auth-question">
      <legend dir="auto">{question}</legend>
      <TextField
        name="answer"
        label={t('Your answer')}
        hint={countText(charactersLeft(answer))}
        autoComplete="off"
        render={<textarea rows={4} />}
        onValueChange={setAnswer}
      />
    </fieldset>
  )
}

function countText(left: number): string | undefined {
  if (left < 0) return overLimit(-left)
  return left < COUNTS_FROM ? counted(left, '{count} character left', '{count} characters left') : undefined
}
