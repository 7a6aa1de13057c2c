import { createContext } from 'react'
import type { FormErrors } from './form-errors.ts'

/** Errors of the surrounding form, by field. */
export const FieldErrors = createContext<FormErrors>({})

/** The error that the last submit of the surrounding form threw; null if it threw none. */
export const FormFailure = createContext<unknown>(null)
