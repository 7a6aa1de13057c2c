import { t } from '#src/language/texts.ts'
import './bucket-help.css'
import { CorsRules } from './cors-rules.tsx'
import { providers } from './providers.ts'

/** Explains the settings per provider, and the access the bucket must allow. */
export function BucketHelp() {
  return (
    <div className="bucket-help">
      <details>
        <summary>{t('Settings for common providers')}</summary>
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
        <summary>{t('Required bucket settings')}</summary>
        <ul className="bucket-needs">
          <li>{t('Use a key that can read, write and delete objects in this bucket only.')}</li>
          <li>{t('Keep the bucket private. Members get links that work for an hour.')}</li>
          <li>
            {t(
              'Its CORS rules should allow uploads from this page, for example like this. Otherwise, uploads go through the server, which is slower:',
            )}
          </li>
        </ul>
        <CorsRules />
      </details>
    </div>
  )
}
