import { Check, Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from './button.tsx'
import './copy-row.css'
import './field.css'
import { useCopy } from './use-copy.ts'

interface CopyRowProps {
  /** What it is: names the field, and is said once it is copied. */
  label: string
  action: string
  value: string
  /** Shown while there is no value yet. */
  placeholder?: string
}

/** A text to take along, and the button that copies it. */
export function CopyRow({ label, action, value, placeholder }: CopyRowProps) {
  const input = useRef<HTMLInputElement>(null)
  const { copied, error, copy } = useCopy()
  const isCopied = copied === value

  // A dialog begins in this field, maybe before there is anything in it.
  useEffect(() => {
    if (value !== '' && document.activeElement === input.current) input.current?.select()
  }, [value])

  function selectAndCopy() {
    // Stays selected for the keyboard's own copy, should the clipboard be withheld.
    input.current?.select()
    copy(value)
  }

  return (
    <div className="copy-row">
      <input
        ref={input}
        className="field-control"
        aria-label={label}
        readOnly
        value={value}
        placeholder={placeholder}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button look="primary" disabled={value === ''} onClick={selectAndCopy}>
        {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        {isCopied ? t('Copied') : action}
      </Button>
      <span role="status" className="visually-hidden">
        {isCopied ? t('{label} copied.', { label }) : ''}
      </span>
      {error !== null && (
        <p role="alert" className="form-error">
          {error} {t('It is selected: copy it with the keyboard, or by its menu.')}
        </p>
      )}
    </div>
  )
}
