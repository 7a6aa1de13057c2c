import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { createBody, emptyDraft, newRoleValues, type RoleDraft } from './role-draft.ts'
import { RoleForm } from './role-form.tsx'
import { RoleHeader } from './role-header.tsx'

interface NewRoleProps {
  space: SpaceEntry
  rights: Rights
  onCreated: (roleId: string) => void
  onClose: () => void
}

/** The form of a new role, which is created on save. The name has the focus. */
export function NewRole({ space, rights, onCreated, onClose }: NewRoleProps) {
  const { client, store } = useSession()
  const [draft, setDraft] = useState<RoleDraft>(emptyDraft)

  async function create() {
    const role = await client.roles.create(space.id, createBody(draft))
    store.adopt('SPACE_ROLE_CREATE', role)
    onCreated(role.id)
  }

  return (
    <>
      <RoleHeader title={t('New role')} colors={draft.colors ?? []} onBack={onClose} />
      <RoleForm
        saved={newRoleValues}
        draft={draft}
        onChange={setDraft}
        save={create}
        isUnsaved={draft !== emptyDraft}
        rights={rights}
        isEveryone={false}
        beginsHere
      />
    </>
  )
}
