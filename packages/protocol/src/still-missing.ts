import { type Static, Type } from 'typebox'

export const missingParts = ['mail', 'https', 'voice_address', 'public_url'] as const
export type MissingPartId = (typeof missingParts)[number]

/** A feature that does not work yet, and the setting that it needs. */
export const MissingPart = Type.Object(
  {
    id: Type.Unsafe<MissingPartId>({ type: 'string', enum: missingParts }),
    what: Type.String({ description: 'the features' }),
    says: Type.String({ description: 'the cause' }),
    remedy: Type.String(),
  },
  { title: 'MissingPart' },
)
export type MissingPart = Static<typeof MissingPart>

/** The list is empty if no setting is missing. */
export const StillMissing = Type.Object({ missing: Type.Array(MissingPart) }, { title: 'StillMissing' })
export type StillMissing = Static<typeof StillMissing>
