/** A value of a field. Colours also have a swatch. */
export interface Value {
  readonly text: string
  /** In CSS notation. */
  readonly color?: string
}

/** One changed field, or one right of an overwrite. */
export interface FieldChange {
  readonly label: string
  /** Null for what is new. */
  readonly before: Value | null
  /** Null for what is gone. */
  readonly after: Value | null
}

export type Side = 'before' | 'after'
