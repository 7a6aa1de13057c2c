import type { Role } from '@foyer/protocol/roles'

/** What a role is called: the one that everybody has goes by a name that no other can be mistaken for. */
export function roleName({ id, space_id, name }: Pick<Role, 'id' | 'space_id' | 'name'>): string {
  return id === space_id ? '@everyone' : name
}
