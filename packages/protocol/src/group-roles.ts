import { type Static, Type } from 'typebox'
import { SignInProvider } from './oidc.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'

const GroupName = () =>
  Type.String({ minLength: 1, maxLength: 512, description: 'exactly as the provider writes it' })

/** A role that the members of a group at a sign-in provider have. */
export const GroupRole = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    role_id: Uuid(),
    provider: Nullable({
      ...SignInProvider,
      description: 'null if the server no longer has it',
    }),
    group: GroupName(),
    set_by: Uuid('the user who set it, and who has to be able to give the role'),
    is_working: Type.Boolean({ description: 'false while that user may not give the role' }),
    created_at: Timestamp(),
  },
  { title: 'GroupRole' },
)
export type GroupRole = Static<typeof GroupRole>

export const CreateGroupRoleBody = Type.Object({
  provider: Type.String({
    pattern: '^[a-z0-9-]{1,32}$',
    description: 'id of a sign-in provider of the server',
  }),
  group: GroupName(),
  role_id: Uuid(),
})
export type CreateGroupRoleBody = Static<typeof CreateGroupRoleBody>

export const GroupRoleParams = Type.Object({ spaceId: Uuid(), groupRoleId: Uuid() })
