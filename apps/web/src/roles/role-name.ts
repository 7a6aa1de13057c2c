import type { Role } from '@foyer/protocol/roles'

/** The display name of a role. The default role is always @everyone, whatever its stored name. */
export function roleName({ id, space_id, name }: Pick<Role, 'id' | 'space_id' | 'name'>): string {
  return id === space_id ? '@everyone' : name
}
