import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

type Serializer = (data: unknown) => string

const compiled = new WeakMap<object, Serializer>()

/**
 * Answers are written by their schema alone: fields that it does not name are dropped. Each schema is compiled once, and
 * when it is needed: all of them at the start would take most of a second.
 */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  return (data: unknown) => serializerOf(schema)(data)
}

/** Writes what the schema names. */
export function serializerOf(schema: TSchema): Serializer {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const serializer = fastJson(schema)
  compiled.set(schema, serializer)
  return serializer
}
