import { limits } from '@foyer/protocol/limits'
import type { CurrentUser } from '@foyer/protocol/users'
import { Check, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { EndSelect } from './end-select.tsx'
import { textEnds } from './end-times.ts'
import './status-field.css'

/** Changes that are not saved. */
interface Draft {
  readonly text?: string
  /** Null for no end. */
  readonly until?: string | null
}

/** The user's status text and its end. Enter saves it, and one button clears it. */
export function StatusField({ me }: { me: CurrentUser }) {
  const { client, store } = useSession()
  const [draft, setDraft] = useState<Draft>({})
  const [notice, setNotice] = useState('')
  const { pending, error, run } = useAction()
  const text = draft.text ?? me.custom
  // A user stored for offline use by an earlier version has no `custom_until`.
  const until = draft.until === undefined ? (me.custom_until ?? null) : draft.until
  const isChanged = text.trim() !== me.custom

  function save(custom: string, end: string | null) {
    run(async () => {
      store.adopt('USER_UPDATE', await client.users.updateMe({ custom: custom || null, custom_until: end }))
      setDraft({})
      setNotice(custom === '' ? t('Status cleared.') : t('Status set.'))
    })
  }

  /** The end of a saved text is saved immediately; the end of a new text is saved with it. */
  function changeEnd(end: string | null) {
    setDraft({ ...draft, until: end })
    if (!isChanged) save(me.custom, end)
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isChanged && !pending) save(text.trim(), until)
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
        onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
      />
      {isChanged ? (
        <IconButton type="submit" label={t('Set status')} icon={<Check />} />
      ) : (
        me.custom !== '' && (
          <IconButton label={t('Clear status')} icon={<X />} onClick={() => save('', null)} />
        )
      )}
      {text.trim() !== '' && (
        <EndSelect
          label={t('Clear after')}
          until={until}
          times={textEnds}
          never={t('Never')}
          labelFor={(time) => time}
          onChange={changeEnd}
        />
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
