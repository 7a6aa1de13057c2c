/** Number fields of the editor. Each belongs to one type of trigger. */
export type NumberField = 'max' | 'count' | 'seconds' | 'percent' | 'min_letters' | 'hours'

/** Smallest and largest values. They repeat the limits of the protocol's schemas, which the client does not load. */
export const numberLimits: Readonly<Record<NumberField, readonly [min: number, max: number]>> = {
  max: [1, 50],
  count: [2, 20],
  seconds: [5, 3600],
  percent: [50, 100],
  min_letters: [5, 1000],
  hours: [1, 8760],
}
