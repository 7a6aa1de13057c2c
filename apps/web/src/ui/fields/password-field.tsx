import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { TextField } from './field.tsx'
import './password-field.css'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'end' | 'onKeyUp' | 'onKeyDown'>

/** A password field that can show its text, and warns about Caps Lock. */
export function PasswordField({ hint, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const [isCapital, setIsCapital] = useState(false)
  const look = (event: KeyboardEvent) => setIsCapital(event.getModifierState('CapsLock'))
  return (
    <TextField
      {...props}
      hint={isCapital ? t('Caps Lock is on.') : hint}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      onKeyDown={look}
      onKeyUp={look}
      onBlur={() => setIsCapital(false)}
      end={
        <button
          type="button"
          className="password-eye"
          aria-pressed={isShown}
          title={isShown ? t('Hide password') : t('Show password')}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          <span className="visually-hidden">{t('Show password')}</span>
        </button>
      }
    />
  )
}
