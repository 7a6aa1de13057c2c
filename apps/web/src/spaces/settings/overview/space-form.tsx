import { limits } from '@foyer/protocol/limits'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { spaceLanguages } from './languages.ts'
import { SystemRoomField } from './system-room-field.tsx'

interface Typed {
  name?: string
  description?: string
  locale?: string
  systemRoomId?: string
}

export function SpaceForm({ space }: { space: SpaceEntry }) {
  const { client, store } = useSession()
  // Holds edited fields only; the others follow changes by other members.
  const [typed, setTyped] = useState<Typed>({})
  const name = typed.name ?? space.name
  const description = typed.description ?? space.description ?? ''
  const locale = typed.locale ?? space.locale ?? ''
  const systemRoomId = typed.systemRoomId ?? space.system_room_id ?? ''
  const isUnsaved =
    name !== space.name ||
    description !== (space.description ?? '') ||
    locale !== (space.locale ?? '') ||
    systemRoomId !== (space.system_room_id ?? '')

  async function save() {
    const saved = await client.spaces.update(space.id, {
      name: name.trim(),
      description: description.trim() || null,
      locale: locale || null,
      system_room_id: systemRoomId || null,
    })
    store.adopt('SPACE_UPDATE', saved)
    setTyped({})
  }

  return (
    <SubmitForm
      fields={['name', 'description', 'locale', 'system_room_id']}
      check={(values: Values) => checkGiven(values, 'name', t('Enter a space name.'))}
      submit={save}
    >
      {(pending) => (
        <>
          <TextField
            name="name"
            label={t('Space name')}
            autoComplete="off"
            maxLength={limits.nameMax}
            value={name}
            onValueChange={(value) => setTyped({ ...typed, name: value })}
          />
          <TextField
            name="description"
            label={t('Description')}
            hint={t('Shown on invites.')}
            autoComplete="off"
            maxLength={limits.descriptionMax}
            render={<textarea rows={3} />}
            value={description}
            onValueChange={(value) => setTyped({ ...typed, description: value })}
          />
          <SelectField
            name="locale"
            label={t('Space language')}
            value={locale}
            options={[['', t('Not set')], ...spaceLanguages(locale)]}
            onChange={(value) => setTyped({ ...typed, locale: value })}
          />
          <SystemRoomField
            spaceId={space.id}
            value={systemRoomId}
            onChange={(value) => setTyped({ ...typed, systemRoomId: value })}
          />
          <SaveBar isUnsaved={isUnsaved} pending={pending} onReset={() => setTyped({})} />
        </>
      )}
    </SubmitForm>
  )
}
