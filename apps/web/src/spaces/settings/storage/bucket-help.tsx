import { t } from '#src/language/texts.ts'
import './bucket-help.css'
import { CorsRules } from './cors-rules.tsx'
import { providers } from './providers.ts'

/** Explains the settings per provider, and the access the bucket must allow. */
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
          <li>
            {t(
              'Its CORS rules should let this page upload to it, such as these. Otherwise uploads go through the server, which is slower:',
            )}
          </li>
        </ul>
        <CorsRules />
      </details>
    </div>
  )
}
