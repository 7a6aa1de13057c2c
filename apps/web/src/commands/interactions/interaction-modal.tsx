import type { Component } from '@foyer/protocol/components'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import type { OpenModal } from './interaction-state.ts'
import { useInteractions } from './use-interactions.ts'
import { useInteractionsState } from './use-interactions-state.ts'

/** Shows the form that a bot responded with, even if the user has gone to another page since. */
export function InteractionModal() {
  const open = useInteractionsState(({ modal }) => modal)
  if (open === null) return null
  return <OpenedModal key={open.interactionId} open={open} />
}

function OpenedModal({ open: { interactionId, modal, ask } }: { open: OpenModal }) {
  const interactions = useInteractions()
  const inputs = modal.components.flatMap(({ components }) => components)
  const names = inputs.map(nameOf)

  async function send(values: Values) {
    const fields = names.map((custom_id) => ({ custom_id, value: values[custom_id] ?? '' }))
    const { application_id, room_id = null, conversation_id = null } = ask.body
    const channel = { application_id, room_id, conversation_id }
    const body = { ...channel, type: 'modal', modal: { interaction_id: interactionId, fields } }
    await interactions.submit({ ...ask, label: modal.title, component: null, body })
    interactions.closeModal()
  }

  return (
    <Modal
      open
      onOpenChange={() => interactions.closeModal()}
      title={modal.title}
      description={t('This form goes to {alias}. Don’t enter passwords here.', {
        alias: ask.bot.alias ?? ask.bot.username,
      })}
    >
      <SubmitForm fields={names} check={(values) => checkInputs(inputs, values)} submit={send}>
        {(pending) => (
          <>
            {inputs.map((input) => (
              <TextField
                key={nameOf(input)}
                name={nameOf(input)}
                label={
                  isNeeded(input)
                    ? (input.label ?? '')
                    : t('{label} (optional)', { label: input.label ?? '' })
                }
                placeholder={input.placeholder ?? undefined}
                defaultValue={input.value ?? ''}
                maxLength={input.max_length}
                autoComplete="off"
                {...(input.style === 'paragraph' && { render: <textarea rows={4} /> })}
              />
            ))}
            <div className="form-actions">
              <Button onClick={() => interactions.closeModal()}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Send')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function nameOf({ custom_id }: Component): string {
  return custom_id ?? ''
}

function isNeeded({ required }: Component): boolean {
  return required === true
}

function checkInputs(inputs: readonly Component[], values: Values): FormErrors {
  const wrong = inputs.flatMap((input) => {
    const length = [...(values[nameOf(input)] ?? '').trim()].length
    if (length === 0) return isNeeded(input) ? [[nameOf(input), t('This field is required.')]] : []
    const least = input.min_length ?? 0
    return length < least ? [[nameOf(input), t('Enter at least {least} characters.', { least })]] : []
  })
  return Object.fromEntries(wrong)
}
