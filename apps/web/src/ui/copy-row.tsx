import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'
import './copy-row.css'
import './field.css'

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
  const [copied, setCopied] = useState<string | null>(null)
  const isCopied = copied === value

  // A dialog begins in this field, maybe before there is anything in it.
  useEffect(() => {
    if (value !== '' && document.activeElement === input.current) input.current?.select()
  }, [value])

  async function copy() {
    // Stays selected for the keyboard's own copy, should the clipboard be withheld.
    input.current?.select()
    setCopied((await copyText(value)) ? value : null)
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
      <Button look="primary" disabled={value === ''} onClick={() => void copy()}>
        {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        {isCopied ? t('Copied') : action}
      </Button>
      <span role="status" className="visually-hidden">
        {isCopied ? t('{label} copied.', { label }) : ''}
      </span>
    </div>
  )
}
