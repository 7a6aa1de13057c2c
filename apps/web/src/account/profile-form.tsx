import { limits } from '@foyer/protocol/limits'
import type { CurrentUser } from '@foyer/protocol/users'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'

export function ProfileForm({ me, onSaved }: { me: CurrentUser; onSaved: () => void }) {
  const { client, store } = useSession()

  async function save({ alias = '', custom = '' }: Values) {
    const user = await client.users.updateMe({ alias: alias.trim() || null, custom: custom.trim() || null })
    store.adopt('USER_UPDATE', user)
    onSaved()
  }

  return (
    <SubmitForm fields={['alias', 'custom']} submit={save}>
      {(pending) => (
        <>
          <TextField
            name="alias"
            label="Display name"
            placeholder={me.username}
            defaultValue={me.alias ?? ''}
            autoComplete="off"
            maxLength={limits.aliasMax}
          />
          <TextField
            name="custom"
            label="Status"
            placeholder="What are you up to?"
            defaultValue={me.custom}
            autoComplete="off"
            maxLength={limits.customStatusMax}
          />
          <Button type="submit" look="primary" pending={pending}>
            Save profile
          </Button>
        </>
      )}
    </SubmitForm>
  )
}
