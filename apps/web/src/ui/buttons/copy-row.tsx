import { Check, Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from './button.tsx'
import './copy-row.css'
import '../fields/field.css'
import { useCopy } from './use-copy.ts'

interface CopyRowProps {
  /** Name of the field, also used in the announcement after copying. */
  label: string
  action: string
  value: string
  /** Shown while there is no value yet. */
  placeholder?: string
}

/** A read-only text with a button to copy it. */
export function CopyRow({ label, action, value, placeholder }: CopyRowProps) {
  const input = useRef<HTMLInputElement>(null)
  const { copied, error, copy } = useCopy()
  const isCopied = copied === value

  // Selects the value when it arrives, because a dialog may have focused the empty field.
  useEffect(() => {
    if (value !== '' && document.activeElement === input.current) input.current?.select()
  }, [value])

  function selectAndCopy() {
    // Leaves the text selected, in case the clipboard is blocked and the user copies by keyboard.
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
          {error} {t('The text is selected, so you can copy it with the keyboard or from its menu.')}
        </p>
      )}
    </div>
  )
}
