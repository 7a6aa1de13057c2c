import { MAX_SENSOR_JOINS, MIN_SENSOR_JOINS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'

/** Returns an error for a number of joins; undefined if the server accepts it. */
export function checkJoins(typed: string): string | undefined {
  const joins = Number(typed)
  if (Number.isInteger(joins) && joins >= MIN_SENSOR_JOINS && joins <= MAX_SENSOR_JOINS) return undefined
  return t('Enter a number from {min} to {max}.', { min: MIN_SENSOR_JOINS, max: MAX_SENSOR_JOINS })
}
