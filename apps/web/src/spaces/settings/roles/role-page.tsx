import { Tabs } from '@base-ui/react/tabs'
import type { Role } from '@foyer/protocol/roles'
import { type ReactNode, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { roleName } from '#src/roles/role-name.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import '#src/ui/tabs.css'
import { FixedRole } from './fixed-role.tsx'
import { emptyDraft, type RoleDraft, updateBody, valuesOf } from './role-draft.ts'
import { RoleForm } from './role-form.tsx'
import { RoleHeader } from './role-header.tsx'
import { RoleMembers } from './role-members.tsx'

interface RolePageProps {
  space: SpaceEntry
  role: Role
  rights: Rights
  onClose: () => void
}

/** The page of a role. Roles that are not below the user's highest role are read-only. */
export function RolePage({ space, role, rights, onClose }: RolePageProps) {
  const { client, store } = useSession()
  const [draft, setDraft] = useState<RoleDraft>(emptyDraft)
  const saved = valuesOf(role)
  const body = updateBody(saved, draft)
  const isEveryone = role.id === space.id

  async function save() {
    store.adopt('SPACE_ROLE_UPDATE', await client.roles.update(space.id, role.id, body))
    setDraft(emptyDraft)
  }

  const settings = (
    <>
      {rights.isAbove(role) ? (
        <RoleForm
          saved={saved}
          draft={draft}
          onChange={setDraft}
          save={save}
          isUnsaved={Object.keys(body).length > 0}
          rights={rights}
          isEveryone={isEveryone}
        />
      ) : (
        <FixedRole space={space} role={role} />
      )}
      {rights.isAbove(role) && !isEveryone && <DeleteRole space={space} role={role} onDeleted={onClose} />}
    </>
  )

  return (
    <>
      <RoleHeader title={roleName(role)} colors={saved.colors} onBack={onClose} />
      {isEveryone ? settings : <RoleTabs space={space} role={role} rights={rights} settings={settings} />}
    </>
  )
}

interface RoleTabsProps extends Omit<RolePageProps, 'onClose'> {
  settings: ReactNode
}

function RoleTabs({ settings, ...props }: RoleTabsProps) {
  return (
    <Tabs.Root defaultValue="settings">
      <Tabs.List className="tab-list" aria-label={t('Role')}>
        <Tabs.Tab className="tab" value="settings">
          {t('Permissions')}
        </Tabs.Tab>
        <Tabs.Tab className="tab" value="members">
          {t('Members')}
        </Tabs.Tab>
      </Tabs.List>
      {/* Kept mounted, so that leaving asks about unsaved changes. */}
      <Tabs.Panel value="settings" className="tab-panel role-panel" keepMounted>
        {settings}
      </Tabs.Panel>
      <Tabs.Panel value="members" className="tab-panel role-panel">
        <RoleMembers {...props} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}

interface DeleteRoleProps {
  space: SpaceEntry
  role: Role
  onDeleted: () => void
}

function DeleteRole({ space, role, onDeleted }: DeleteRoleProps) {
  const { client, store } = useSession()
  const [open, setOpen] = useState(false)

  async function remove() {
    await client.roles.delete(space.id, role.id)
    store.adopt('SPACE_ROLE_DELETE', { space_id: space.id, role_id: role.id })
    onDeleted()
  }

  return (
    <div className="danger-zone">
      <div className="settings-line">
        <p>
          <strong>{t('Delete this role')}</strong>
          <span>{t('Members lose it and its permissions.')}</span>
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          {t('Delete role')}
        </Button>
      </div>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Delete {name}?', { name: role.name })}
        action={t('Delete role')}
        run={remove}
      >
        <p>
          {t(
            'This removes the role from all its members and its permissions from every room. This can’t be undone.',
          )}
        </p>
      </Confirm>
    </div>
  )
}
