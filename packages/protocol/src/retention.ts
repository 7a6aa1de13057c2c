import { Type } from 'typebox'
import { MAX_RETENTION_DAYS } from './limits.ts'
import { Nullable } from './schema.ts'

/** A field that sets how many days messages are kept. */
export const RetentionDays = (description: string) =>
  Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS, description })))
