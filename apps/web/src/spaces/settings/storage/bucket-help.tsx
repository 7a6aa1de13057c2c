import { Check, Copy } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import { useCopy } from '#src/ui/use-copy.ts'
import './bucket-help.css'
import { providers } from './providers.ts'

/** Where the settings of a bucket are found, and what has to be set there. */
export function BucketHelp() {
  return (
    <div className="bucket-help">
      <details>
        <summary>{t('What to fill in for known providers')}</summary>
        <dl className="provider-list">
          {providers.map(({ name, endpoint, region, usesPathStyle }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{endpoint}</code>
                <span>
                  {usesPathStyle
                    ? t('Region {region} · path-style on', { region })
                    : t('Region {region} · path-style off', { region })}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      <details>
        <summary>{t('What the bucket must allow')}</summary>
        <ul className="bucket-needs">
          <li>{t('The key may read, write and delete objects of this bucket, and of no other.')}</li>
          <li>{t('The bucket is private: members get addresses that work for an hour.')}</li>
          <li>{t('Its CORS rules let this page upload to it, such as these:')}</li>
        </ul>
        <CorsRules />
      </details>
    </div>
  )
}

function CorsRules() {
  const { copied, error, copy } = useCopy()
  const rules = corsRules(window.location.origin)
  return (
    <div className="cors-rules">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to */}
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
