import { type Static, Type } from 'typebox'
import { MAX_BULK_DELETE } from './limits.ts'
import { Uuid } from './schema.ts'

export const BulkDeleteBody = Type.Object({
  ids: Type.Array(Uuid(), { minItems: 1, maxItems: MAX_BULK_DELETE }),
})
export type BulkDeleteBody = Static<typeof BulkDeleteBody>
