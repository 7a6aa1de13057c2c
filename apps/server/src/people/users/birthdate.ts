import { ApiError } from '#src/kernel/errors.ts'

const FIRST_BIRTHDATE = '1900-01-01'

/**
 * Checks the range of a date, which the schema has validated.
 * @throws ApiError 400 for a date in the future or before 1900
 */
export function checkBirthdate(birthdate: string | null | undefined): void {
  if (birthdate === null || birthdate === undefined) return
  const today = new Date().toISOString().slice(0, 10)
  if (birthdate < FIRST_BIRTHDATE || birthdate > today) throw new ApiError('invalid_birthdate')
}
