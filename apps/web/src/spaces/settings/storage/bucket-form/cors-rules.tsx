import { Check, Copy } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useCopy } from '#src/ui/buttons/use-copy.ts'
import './bucket-help.css'

/** The CORS rules that allow direct uploads from browsers, with a copy button. */
export function CorsRules() {
  const { copied, error, copy } = useCopy()
  const rules = corsRules(window.location.origin)
  return (
    <div className="cors-rules">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <pre tabIndex={0}>{rules}</pre>
      <Button onClick={() => copy(rules)}>
        {copied === null ? <Copy aria-hidden="true" /> : <Check aria-hidden="true" />}
        {copied === null ? t('Copy CORS rules') : t('Copied')}
      </Button>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </div>
  )
}

function corsRules(origin: string): string {
  const rule = {
    AllowedOrigins: [origin],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    MaxAgeSeconds: 3600,
  }
  return JSON.stringify([rule], null, 2)
}
