/** A value of a field. Colours also have a swatch. */
export interface Value {
  readonly text: string
  /** In CSS notation. */
  readonly color?: string
}

/** One changed field, or one right of an overwrite. */
export interface FieldChange {
  readonly label: string
  /** Null for a new object. */
  readonly before: Value | null
  /** Null for a deleted object. */
  readonly after: Value | null
}

export type Side = 'before' | 'after'
