import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

type Serializer = (data: unknown) => string

const compiled = new WeakMap<object, Serializer>()

/**
 * Answers are serialized by their schema, which drops undeclared fields. Each schema is compiled on first use: all
 * of them at the start would take most of a second.
 */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  return (data: unknown) => serializerOf(schema)(data)
}

/** Returns a serializer of the schema's declared fields. */
export function serializerOf(schema: TSchema): Serializer {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const serializer = fastJson(schema)
  compiled.set(schema, serializer)
  return serializer
}
