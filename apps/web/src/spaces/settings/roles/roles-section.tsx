import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { NewRole } from './new-role.tsx'
import { RoleList } from './role-list.tsx'
import { RolePage } from './role-page.tsx'

const NEW = 'new'

/** The list of roles, or the page of the open one. */
export function RolesSection({ space }: { space: SpaceEntry }) {
  const rights = usePermissions(space.id)
  const [openId, setOpenId] = useState<string | null>(null)
  // Undefined if another member deletes the open role.
  const role = space.roles.find(({ id }) => id === openId)
  const lastId = useRef<string | null>(null)

  function open(id: string | null) {
    lastId.current = openId
    setOpenId(id)
  }

  if (openId === NEW)
    return <NewRole space={space} rights={rights} onCreated={open} onClose={() => open(null)} />
  if (role !== undefined)
    return <RolePage key={role.id} space={space} role={role} rights={rights} onClose={() => open(null)} />
  return (
    <>
      <div className="settings-line">
        <p>{t('Members get the permissions of all their roles. You can edit roles below your own.')}</p>
        <Button look="primary" onClick={() => open(NEW)}>
          <Plus aria-hidden="true" /> {t('Create role')}
        </Button>
      </div>
      <RoleList space={space} rights={rights} onOpen={open} lastId={lastId.current} />
    </>
  )
}
