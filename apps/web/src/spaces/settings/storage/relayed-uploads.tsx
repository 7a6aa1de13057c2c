import { t } from '#src/language/texts.ts'
import { CorsRules } from './cors-rules.tsx'

/** Explains why uploads go through the server, and how to allow direct ones. */
export function RelayedUploads() {
  return (
    <details className="bucket-help">
      <summary>{t('Uploads go through the server')}</summary>
      <p>
        {t(
          'The bucket’s CORS rules keep browsers out, so the server passes each file on. Uploads are faster, and can be larger than 1 GB, once the bucket has this rule and you save it again:',
        )}
      </p>
      <CorsRules />
    </details>
  )
}
