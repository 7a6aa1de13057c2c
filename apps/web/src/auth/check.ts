import { limits } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'

// Checks of form values by the server's rules, before a request is sent.

export function checkGiven(
  values: Readonly<Record<string, string>>,
  field: string,
  message: string,
): FormErrors {
  return values[field]?.trim() ? {} : { [field]: message }
}

export function checkUsername(username: string): FormErrors {
  const { usernameMin: min, usernameMax: max } = limits
  if (new RegExp(`^[a-z0-9_.]{${min},${max}}$`).test(username)) return {}
  return { username: t('Use {min}–{max} lowercase letters, numbers, dots or underscores.', { min, max }) }
}

export function checkEmail(email: string): FormErrors {
  return /^[^\s@]+@\S+$/.test(email.trim()) ? {} : { email: t('Enter an email address.') }
}

export function checkNewPassword(password: string): FormErrors {
  const length = [...password].length
  if (length < limits.passwordMin)
    return { password: t('Use at least {min} characters.', { min: limits.passwordMin }) }
  if (length > limits.passwordMax)
    return { password: t('Use at most {max} characters.', { max: limits.passwordMax }) }
  return {}
}
