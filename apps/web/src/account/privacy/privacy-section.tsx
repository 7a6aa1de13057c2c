import type { WebPresence } from '@foyer/protocol/on-web'
import type { CurrentUser } from '@foyer/protocol/users'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

const options: readonly { value: WebPresence; label: string; description: string }[] = [
  {
    value: 'name',
    label: t('With your name and picture'),
    description: t('As everyone in the room sees you.'),
  },
  {
    value: 'no_name',
    label: t('Without your name'),
    description: t('Your messages appear under the name “A member”.'),
  },
  {
    value: 'none',
    label: t('Not at all'),
    description: t('Your messages are left out, and so is your name in other people’s messages.'),
  },
]

/** How the user appears in rooms that can be read without an account. Changes apply immediately, and to earlier messages. */
export function PrivacySection({ me }: { me: CurrentUser }) {
  const { client, store } = useSession()
  const { wish, error, choose } = useWish(async (web_presence) =>
    store.adopt('USER_UPDATE', await client.users.updateMe({ web_presence })),
  )

  return (
    <section className="settings-block">
      <p className="settings-note">
        {t(
          'Space owners can let everyone on the internet read a room without an account. You’ll see a note below the message field in these rooms. If you change this setting, search engines may keep older copies.',
        )}
      </p>
      <OptionCards
        label={t('Your name on the web')}
        options={options}
        value={wish ?? me.web_presence}
        onChange={choose}
      />
      <ErrorLine message={error} />
    </section>
  )
}

/** Saves a choice immediately. A choice made while another one is being saved is saved after it. */
function useWish(save: (presence: WebPresence) => Promise<unknown>) {
  const latest = useRef<WebPresence | null>(null)
  const [wish, setWish] = useState<WebPresence | null>(null)
  const [error, setError] = useState<string | null>(null)

  async function choose(presence: WebPresence) {
    const isSaving = latest.current !== null
    latest.current = presence
    setWish(presence)
    if (isSaving) return
    let failure: string | null = null
    let saved: WebPresence | null = null
    while (saved !== latest.current) {
      saved = latest.current ?? presence
      failure = await save(saved).then(() => null, errorMessage)
    }
    latest.current = null
    setWish(null)
    setError(failure)
  }

  return { wish, error, choose: (presence: WebPresence) => void choose(presence) }
}
