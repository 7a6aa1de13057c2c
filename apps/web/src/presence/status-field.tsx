import { limits } from '@foyer/protocol/limits'
import type { CurrentUser } from '@foyer/protocol/users'
import { Check, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import './status-field.css'

/** The user's status text. Enter saves it, and one button clears it. */
export function StatusField({ me }: { me: CurrentUser }) {
  const { client, store } = useSession()
  const [text, setText] = useState(me.custom)
  const [notice, setNotice] = useState('')
  const { pending, error, run } = useAction()
  const isChanged = text.trim() !== me.custom

  function save(custom: string) {
    run(async () => {
      store.adopt('USER_UPDATE', await client.users.updateMe({ custom: custom || null }))
      setText(custom)
      setNotice(custom === '' ? t('Status cleared.') : t('Status set.'))
    })
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isChanged && !pending) save(text.trim())
  }

  return (
    <form className="status-field" onSubmit={onSubmit}>
      <input
        type="text"
        className="status-input"
        aria-label={t('Your status')}
        placeholder={t('What are you up to?')}
        value={text}
        maxLength={limits.customStatusMax}
        autoComplete="off"
        dir="auto"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {isChanged ? (
        <IconButton type="submit" label={t('Set status')} icon={<Check />} />
      ) : (
        me.custom !== '' && <IconButton label={t('Clear status')} icon={<X />} onClick={() => save('')} />
      )}
      <p role="status" className="visually-hidden">
        {notice}
      </p>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </form>
  )
}
