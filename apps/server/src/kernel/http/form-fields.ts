import type { Static, TObject, TSchema } from 'typebox'
import { parseInput } from './body.ts'
import type { Form } from './multipart.ts'
import { compileTextInput, invalidInput } from './validation.ts'

/**
 * The texts of a form by a schema, read as what it says: "true" for a boolean, "7" for an integer. Other fields are ignored.
 * @throws ApiError 400 in the words that JSON is refused with
 */
export function readFields<S extends TObject>(schema: S, form: Pick<Form, 'fields'>): Static<S> {
  // Nothing has validated the others.
  const declared = Object.entries(form.fields).filter(([name]) => Object.hasOwn(schema.properties, name))
  const fields: unknown = Object.fromEntries(declared)
  const isValid = compileTextInput(schema)
  if (isValid(fields)) return fields
  throw invalidInput(isValid.errors, 'the form')
}

/**
 * The field of a form that holds JSON, by its schema; undefined when the form has none.
 * @throws ApiError 400 as for a body of JSON
 */
export function readJsonField<S extends TSchema>(
  schema: S,
  form: Pick<Form, 'fields'>,
  name: string,
): Static<S> | undefined {
  const json = Object.hasOwn(form.fields, name) ? form.fields[name] : undefined
  return json === undefined ? undefined : parseInput(schema, json, name)
}
