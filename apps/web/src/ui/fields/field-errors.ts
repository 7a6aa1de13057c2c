import { createContext } from 'react'
import type { FormErrors } from './form-errors.ts'

/** Errors of the surrounding form, by field. */
export const FieldErrors = createContext<FormErrors>({})
