import { t } from '#src/language/texts.ts'
import { CorsRules } from './bucket-form/cors-rules.tsx'

/** Explains why uploads go through the server, and how to allow direct ones. */
export function RelayedUploads() {
  return (
    <details className="bucket-help">
      <summary>{t('Uploads go through the server')}</summary>
      <p>
        {t(
          'The bucket’s CORS rules block browsers, so uploads go through the server. For faster uploads and files over 1 GB, add this rule and save the bucket again:',
        )}
      </p>
      <CorsRules />
    </details>
  )
}
