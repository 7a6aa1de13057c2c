import type { CreateRoleBody, Role } from '@foyer/protocol/roles'
import type { Person } from './people.ts'

const HIGHEST = 2 ** 31 - 1

/** Creates a role above all others and assigns it to the members. */
export async function giveRole(
  owner: Person,
  spaceId: string,
  members: readonly Person[],
  role: Partial<CreateRoleBody> = {},
): Promise<Role> {
  const { roles } = owner.client
  const { id } = await roles.create(spaceId, { name: 'role', ...role })
  const raised = await roles.update(spaceId, id, { position: HIGHEST })
  for (const member of members) await roles.assign(spaceId, member.id, id)
  return raised
}
