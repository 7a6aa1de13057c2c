import type { BucketTrial, StorageBucket } from '@foyer/protocol/buckets'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'

/** A button that tests the saved settings of a bucket. */
export function TestBucket({ bucket }: { bucket: StorageBucket }) {
  const { client } = useSession()
  const { run, pending, error } = useAction()
  const [trial, setTrial] = useState<BucketTrial | null>(null)

  async function test() {
    setTrial(null)
    setTrial(await client.buckets.test(bucket.space_id, bucket.id))
  }

  return (
    <div className="bucket-trial">
      <Button
        look="text"
        aria-label={t('Test connection to {name}', { name: bucket.name })}
        pending={pending}
        onClick={() => run(test)}
      >
        {t('Test connection')}
      </Button>
      <span role="status" className="bucket-test" data-good={trial !== null || undefined}>
        {pending && t('Testing connection…')}
        {trial?.direct_upload === true && t('The connection works.')}
        {trial?.direct_upload === false &&
          t('The connection works, but browsers can’t upload directly, so uploads go through the server.')}
      </span>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </div>
  )
}
