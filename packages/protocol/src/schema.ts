import { type Static, type TSchema, Type } from 'typebox'

/**
 * Makes a schema nullable. Sets the keyword `nullable`, which validator, serializer and OpenAPI generator read, instead
 * of a union, with which the serializer is many times slower.
 */
export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, nullable: true })

/** A UUID in lowercase, converted from any case as in RFC 9562. The server creates version 7, and reads any version. */
export const Uuid = (description?: string) =>
  Type.String({ format: 'uuid', lowercase: true, ...(description === undefined ? {} : { description }) })

/** ISO 8601 in UTC with milliseconds and `Z`. */
export const Timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/**
 * Text that people type: trimmed before it is measured.
 * @param min shortest length after trimming, in Unicode code points
 * @param max longest length after trimming, in Unicode code points
 */
export const Text = (min: number, max: number) => Type.String({ trim: true, minLength: min, maxLength: max })

/** An image field in JSON. Null or an empty text removes the image; its id keeps it. A new image is sent as a file. */
export const KeptImage = () => Type.Optional(Nullable(Type.String()))

/** A field of a form that removes the image if it is `true`. Any other value keeps the image. */
export const RemovedImage = () => Type.Optional(Type.String({ description: 'true removes the image' }))

/** A signed integer of 32 bits: the range of PostgreSQL's `integer`. */
export const Int32 = (description?: string) =>
  Type.Integer({
    minimum: -2147483648,
    maximum: 2147483647,
    ...(description === undefined ? {} : { description }),
  })
