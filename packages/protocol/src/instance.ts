import { type Static, Type } from 'typebox'

/** Public facts about a server, available without an account. */
export const Instance = Type.Object(
  {
    version: Type.String(),
    is_empty: Type.Boolean({ description: 'no account exists yet: the first one becomes the administrator' }),
    has_mail: Type.Boolean({
      description: 'whether mails are sent; if not, they are saved in a folder of the server',
    }),
  },
  { title: 'Instance' },
)
export type Instance = Static<typeof Instance>
