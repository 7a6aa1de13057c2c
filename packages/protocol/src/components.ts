import { type Static, Type } from 'typebox'
import { Nullable } from './schema.ts'

/** A choice of a select. */
export const SelectOption = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  default: Type.Optional(Type.Boolean()),
})
export type SelectOption = Static<typeof SelectOption>

/**
 * A button or a select of a message, or a text input of a modal. A button needs `label` or `emoji`, and `custom_id` or
 * (style link) `url`; a select `custom_id` and `options`; a text input `custom_id` and `label`.
 */
export const Component = Type.Object(
  {
    type: Type.String({ enum: ['button', 'select', 'text_input'] }),
    custom_id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
    label: Type.Optional(Nullable(Type.String({ maxLength: 80 }))),
    disabled: Type.Optional(Type.Boolean()),
    style: Type.Optional(
      Nullable(
        Type.String({
          enum: ['primary', 'secondary', 'success', 'danger', 'link', 'short', 'paragraph'],
          description:
            'primary, secondary, success, danger and link for buttons; short and paragraph for inputs',
        }),
      ),
    ),
    emoji: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    url: Type.Optional(Nullable(Type.String({ maxLength: 2048, pattern: '^https?://' }))),
    placeholder: Type.Optional(Nullable(Type.String({ maxLength: 150 }))),
    min_values: Type.Optional(Type.Integer({ minimum: 0, maximum: 25 })),
    max_values: Type.Optional(Type.Integer({ minimum: 1, maximum: 25 })),
    options: Type.Optional(Type.Array(SelectOption, { maxItems: 25 })),
    required: Type.Optional(Type.Boolean()),
    min_length: Type.Optional(Type.Integer({ minimum: 0, maximum: 4000 })),
    max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 4000 })),
    value: Type.Optional(Nullable(Type.String({ maxLength: 4000 }))),
  },
  { title: 'Component' },
)
export type Component = Static<typeof Component>

/** Up to five buttons, or one select or text input, side by side. */
export const ComponentRow = Type.Object(
  { components: Type.Array(Component, { minItems: 1, maxItems: 5 }) },
  { title: 'ComponentRow' },
)
export type ComponentRow = Static<typeof ComponentRow>
