import type { Component, ComponentRow } from '@foyer/protocol/components'
import type { Modal } from '@foyer/protocol/interactions'
import { limits } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'

/**
 * Checks the use of a message's component. Returns a select's values, none for a button.
 * @throws ApiError 404 for a component that the message lacks or shows disabled; 400 for values that it does not offer
 */
export function checkUse(
  rows: readonly ComponentRow[],
  customId: string,
  values: readonly string[],
): string[] {
  const component = componentsOf(rows).find(({ custom_id }) => custom_id === customId)
  if (component === undefined || component.disabled) throw new ApiError('unknown_component')
  const isSelect = component.type === 'select'
  if (isSelect) checkSelection(component, values)
  else if (values.length > 0) throw wrong('component.values are only for selects')
  return [...values]
}

function checkSelection(
  { options = [], min_values = 1, max_values = 1 }: Component,
  values: readonly string[],
) {
  const offered = new Set(options.map(({ value }) => value))
  const unknown = values.findIndex((value) => !offered.has(value))
  if (unknown >= 0) throw wrong(`component.values.${unknown} is not one of the options`)
  if (new Set(values).size < values.length) throw wrong('component.values has a value twice')
  if (values.length < min_values) throw wrong(`component.values must have at least ${min_values} values`)
  if (values.length > max_values) throw wrong(`component.values must have at most ${max_values} values`)
}

/** @throws ApiError 400 for a modal that is invalid, with a message that begins with the field */
export function checkModal(modal: Modal): Modal {
  const seen = new Set<string>()
  for (const [index, { components }] of modal.components.entries()) {
    const [input, ...more] = components
    const complaint = input && more.length === 0 ? complaintOf(input, seen) : 'must have one text_input'
    if (complaint !== undefined) throw wrong(`data.modal.components.${index} ${complaint}`)
  }
  return modal
}

function complaintOf(input: Component, seen: Set<string>): string | undefined {
  const { type, custom_id, label, style, min_length = 0, max_length = limits.messageMax, value } = input
  if (type !== 'text_input') return 'must have one text_input'
  if ((custom_id ?? null) === null) return 'needs a custom_id'
  if ((label ?? '') === '') return 'needs a label'
  if (!['short', 'paragraph'].includes(style ?? 'short')) return 'has a style that is not for text inputs'
  if (min_length > max_length) return 'has a min_length over its max_length'
  if ([...(value ?? '')].length > max_length) return 'has a value over its max_length'
  if (seen.has(custom_id ?? '')) return 'has the same custom_id as another text input'
  seen.add(custom_id ?? '')
  return undefined
}

export interface Field {
  custom_id: string
  value: string
}

/**
 * Checks a submitted modal. Returns a field for each input, empty if omitted.
 * @throws ApiError 400 for unknown fields and values that an input refuses
 */
export function checkFields(modal: Modal, given: readonly Field[]): Field[] {
  const inputs = componentsOf(modal.components)
  const values = new Map(given.map(({ custom_id, value }) => [custom_id, value]))
  if (values.size < given.length) throw wrong('modal.fields has a field twice')
  const unknown = given.findIndex((field) => !inputs.some(({ custom_id }) => custom_id === field.custom_id))
  if (unknown >= 0) throw wrong(`modal.fields.${unknown} is not a field of the modal`)
  return inputs.map((input) => {
    const custom_id = input.custom_id ?? ''
    const value = values.get(custom_id) ?? ''
    checkInput(input, value)
    return { custom_id, value }
  })
}

/** Checks the value of a modal's input. An optional field may be empty despite its minimum length. */
function checkInput(
  { custom_id, required = false, min_length = 0, max_length = limits.messageMax }: Component,
  value: string,
): void {
  const length = [...value].length
  if (required && value.trim() === '') throw wrong(`modal.fields ${custom_id} is required`)
  if (length > 0 && length < min_length)
    throw wrong(`modal.fields ${custom_id} must have at least ${min_length} characters`)
  if (length > max_length) throw wrong(`modal.fields ${custom_id} must have at most ${max_length} characters`)
}

function componentsOf(rows: readonly ComponentRow[]): Component[] {
  return rows.flatMap(({ components }) => components)
}

function wrong(message: string): ApiError {
  return new ApiError('invalid_request', message)
}
