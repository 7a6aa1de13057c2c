import type { Static, TObject, TSchema } from 'typebox'
import { compileTextInput, invalidInput } from '../validation.ts'
import { parseInput } from './body.ts'
import type { Form } from './multipart.ts'

/**
 * Reads a form's text fields by a schema: "true" for a boolean, "7" for an integer. Other fields are ignored.
 * @throws ApiError 400 with the same messages as for a JSON body
 */
export function readFields<S extends TObject>(schema: S, form: Pick<Form, 'fields'>): Static<S> {
  // Undeclared fields are not validated.
  const declared = Object.entries(form.fields).filter(([name]) => Object.hasOwn(schema.properties, name))
  const fields: unknown = Object.fromEntries(declared)
  const isValid = compileTextInput(schema)
  if (isValid(fields)) return fields
  throw invalidInput(isValid.errors, 'the form')
}

/**
 * Reads a form field that holds JSON, by its schema; undefined if the form does not have it.
 * @throws ApiError 400 with the same messages as for a JSON body
 */
export function readJsonField<S extends TSchema>(
  schema: S,
  form: Pick<Form, 'fields'>,
  name: string,
): Static<S> | undefined {
  const json = Object.hasOwn(form.fields, name) ? form.fields[name] : undefined
  return json === undefined ? undefined : parseInput(schema, json, name)
}
