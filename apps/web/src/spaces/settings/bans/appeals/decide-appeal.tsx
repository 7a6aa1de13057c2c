import type { BanAppeal } from '@foyer/protocol/reports'
import { Appeals } from '@foyer/sdk/api/appeals'
import { ApiError } from '@foyer/sdk/rest'
import { type RefObject, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { checkLength, countText } from '#src/reports/report-text.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

/** late: another moderator decided first. gone: the ban was lifted or the account deleted, which ended the appeal. */
export type Outcome = 'accepted' | 'refused' | 'late' | 'gone'

interface DecideAppealProps {
  space: SpaceEntry
  appeal: BanAppeal
  name: string
  isAccepted: boolean
  onClose: () => void
  onDecided: (outcome: Outcome) => void
  focusAfter: RefObject<HTMLElement | null>
}

/** Asks the moderator for an answer to the user, and sends the decision. */
export function DecideAppeal(props: DecideAppealProps) {
  const { space, appeal, name, isAccepted, onClose, onDecided, focusAfter } = props
  const { client } = useSession()

  async function decide({ answer = '' }: Values) {
    try {
      const decision = { accepted: isAccepted, answer: answer.trim() }
      await client.api(Appeals).decide(space.id, appeal.id, decision)
    } catch (thrown) {
      const outcome = outcomeOf(thrown)
      if (outcome === undefined) throw thrown
      return onDecided(outcome)
    }
    onDecided(isAccepted ? 'accepted' : 'refused')
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={isAccepted ? t('Let {name} in again?', { name }) : t('Refuse {name}’s appeal?', { name })}
      description={
        isAccepted
          ? t('They’ll be able to rejoin {name} with an invite.', { name: space.name })
          : t('The ban stays, and they can’t appeal against it again.')
      }
      focusAfter={focusAfter}
    >
      <SubmitForm
        fields={['answer']}
        check={({ answer = '' }) => checkLength('answer', answer)}
        submit={decide}
      >
        {(pending) => (
          <>
            <AnswerField name={name} />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look={isAccepted ? 'primary' : 'danger'} pending={pending}>
                {isAccepted ? t('Let in again') : t('Refuse')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function AnswerField({ name }: { name: string }) {
  const [text, setText] = useState('')
  return (
    <TextField
      name="answer"
      label={t('Your answer')}
      hint={countText(text) ?? t('Optional. {name} will see it, but not who wrote it.', { name })}
      autoComplete="off"
      render={<textarea rows={3} />}
      onValueChange={setText}
    />
  )
}

function outcomeOf(thrown: unknown): Outcome | undefined {
  const code = thrown instanceof ApiError ? thrown.code : null
  if (code === 'already_decided') return 'late'
  return code === 'unknown_appeal' ? 'gone' : undefined
}
