import { type Static, Type } from 'typebox'

/** What a server tells of itself to anybody, before they have an account. */
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
