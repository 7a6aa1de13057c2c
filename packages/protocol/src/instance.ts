import { type Static, Type } from 'typebox'

/** Public facts about a server, available without an account. */
export const Instance = Type.Object(
  {
    version: Type.String(),
    is_empty: Type.Boolean({ description: 'nobody has an account yet: the first one is the operator' }),
    has_mail: Type.Boolean({
      description: 'whether mails are sent; otherwise the operator finds them in a folder',
    }),
  },
  { title: 'Instance' },
)
export type Instance = Static<typeof Instance>
