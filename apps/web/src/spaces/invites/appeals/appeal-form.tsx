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
import type { AppealStatus, OwnAppeal } from './use-own-appeal.ts'

interface AppealFormProps {
  /** Name of the space. */
  name: string
  own: OwnAppeal
}

/** Lets a banned user ask the moderators for another chance, and shows their decision. */
export function AppealForm({ name, own: { status, again, send } }: AppealFormProps) {
  const view = status.state === 'appealed' ? status.appeal.state : status.state
  const heading = useFocusIfLost(view)
  const id = useId()

  if (status.state === 'loading' || status.state === 'free') return null
  if (status.state === 'failed') return <LoadError message={status.message} again={again} />
  return (
    <section className="own-appeal" aria-labelledby={id}>
      <div role="status" className="own-appeal-state">
        <h2 ref={heading} tabIndex={-1} id={id}>
          {titleOf(status)}
        </h2>
        <p>{explanationOf(status, name)}</p>
        {status.state === 'appealed' && <Words appeal={status.appeal} />}
      </div>
      {status.state === 'none' && <Question send={send} />}
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

function titleOf(status: AppealStatus): string {
  if (status.state === 'none') return t('Ask to be let in again')
  if (status.state !== 'appealed' || status.appeal.state === 'accepted') return t('You can join again')
  return status.appeal.state === 'open' ? t('You’ve asked to be let in again') : t('Your request was refused')
}

function explanationOf(status: AppealStatus, name: string): string {
  if (status.state === 'none')
    return t('Write to the moderators of {name}. They’ll decide. You can ask only once.', { name })
  if (status.state !== 'appealed' || status.appeal.state === 'accepted')
    return t('The moderators of {name} have lifted your ban.', { name })
  return status.appeal.state === 'open'
    ? t('The moderators of {name} will decide. You’ll see their decision here.', { name })
    : t('The moderators of {name} have decided that your ban stays.', { name })
}

/** The moderators' answer, and the text of the user's appeal. */
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
