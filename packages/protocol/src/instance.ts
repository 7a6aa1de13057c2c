import { type Static, Type } from 'typebox'
import { InstanceLogin } from './oidc.ts'
import { InstanceRegistration } from './registration.ts'
import { Nullable } from './schema.ts'

/** Public facts about a server, available without an account. */
export const Instance = Type.Object(
  {
    version: Type.String(),
    is_empty: Type.Boolean({ description: 'no account exists yet' }),
    awaits_operator: Type.Boolean({
      description:
        'no account is an operator: the link that the server printed makes one. False if the first account will be it',
    }),
    registration: InstanceRegistration,
    login: InstanceLogin,
    has_mail: Type.Boolean({
      description: 'whether mails are sent; if not, they are saved in a folder of the server',
    }),
    passkey_origin: Nullable(
      Type.String({ description: 'origin of the pages on which passkeys work; null without any' }),
    ),
  },
  { title: 'Instance' },
)
export type Instance = Static<typeof Instance>
