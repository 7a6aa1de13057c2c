import type { Appeal } from '@foyer/protocol/reports'
import { useEffect, useId, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { checkLength, countText } from '#src/reports/report-text.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import './appeal-form.css'
import type { OwnAppeal, Standing } from './use-own-appeal.ts'

interface AppealFormProps {
  /** Name of the space. */
  name: string
  own: OwnAppeal
}

/** Lets a banned user ask the moderators for another chance, and shows their decision. */
export function AppealForm({ name, own: { standing, again, send } }: AppealFormProps) {
  const view = standing.state === 'told' ? standing.appeal.state : standing.state
  const heading = useFocusIfLost(view)
  const id = useId()

  if (standing.state === 'loading' || standing.state === 'free') return null
  if (standing.state === 'failed') return <LoadError message={standing.message} again={again} />
  return (
    <section className="own-appeal" aria-labelledby={id}>
      <div role="status" className="own-appeal-state">
        <h2 ref={heading} tabIndex={-1} id={id}>
          {titleOf(standing)}
        </h2>
        <p>{explanationOf(standing, name)}</p>
        {standing.state === 'told' && <Words appeal={standing.appeal} />}
      </div>
      {standing.state === 'none' && <Question send={send} />}
    </section>
  )
}

/** Focuses the heading when another view has replaced the element with the focus. */
function useFocusIfLost(view: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each view may have taken the focus away
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [view])
  return heading
}

function titleOf(standing: Standing): string {
  if (standing.state === 'none') return t('Ask to be let in again')
  if (standing.state !== 'told' || standing.appeal.state === 'accepted') return t('You can join again')
  return standing.appeal.state === 'open'
    ? t('You’ve asked to be let in again')
    : t('Your request was refused')
}

function explanationOf(standing: Standing, name: string): string {
  if (standing.state === 'none')
    return t('Write to the moderators of {name}. They’ll decide. You can ask only once.', { name })
  if (standing.state !== 'told' || standing.appeal.state === 'accepted')
    return t('The moderators of {name} have lifted your ban.', { name })
  return standing.appeal.state === 'open'
    ? t('The moderators of {name} will decide. You’ll see their decision here.', { name })
    : t('The moderators of {name} have decided that your ban stays.', { name })
}

/** The words of both sides. */
function Words({ appeal: { text, state, answer } }: { appeal: Appeal }) {
  return (
    <dl className="own-appeal-words">
      {answer !== null && (
        <>
          <dt>{t('Their answer')}</dt>
          <dd dir="auto">{answer}</dd>
        </>
      )}
      {state !== 'accepted' && (
        <>
          <dt>{t('What you wrote')}</dt>
          <dd dir="auto">{text}</dd>
        </>
      )}
    </dl>
  )
}

function Question({ send }: { send: (text: string) => Promise<void> }) {
  const [text, setText] = useState('')
  return (
    <SubmitForm fields={['text']} check={checkAppeal} submit={({ text: typed = '' }) => send(typed.trim())}>
      {(pending) => (
        <>
          <TextField
            name="text"
            label={t('Your message to the moderators')}
            hint={countText(text)}
            autoComplete="off"
            render={<textarea rows={4} />}
            onValueChange={setText}
          />
          <Button type="submit" look="primary" pending={pending}>
            {t('Send request')}
          </Button>
        </>
      )}
    </SubmitForm>
  )
}

function checkAppeal({ text = '' }: Values): FormErrors {
  return text.trim() === '' ? { text: t('Write something first.') } : checkLength('text', text)
}
