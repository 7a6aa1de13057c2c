import { createContext } from 'react'
import type { FormErrors } from './form-errors.ts'

/** What the form around has against its fields. */
export const FieldErrors = createContext<FormErrors>({})
