import type { StorageBucket } from '@foyer/protocol/buckets'
import { useRef, useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useUnsavedChanges } from '#src/ui/dialogs/unsaved-changes.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { type BucketSettings, bucketChange } from './bucket-body.ts'
import { BucketFields, type Choices } from './bucket-fields.tsx'
import { readLimit, writeLimit } from './byte-limit.ts'

interface BucketFormProps {
  space: SpaceEntry
  /** Null for a new bucket. */
  bucket: StorageBucket | null
  onSaved: () => void
}

const FIELDS = [
  'name',
  'endpoint',
  'region',
  'bucket_name',
  'access_key_id',
  'secret_access_key',
  'max_bytes',
  'upload_limit_bytes',
]

/** The settings of a bucket. The server tests the connection before it saves them, and on request. */
export function BucketForm({ space, bucket, onSaved }: BucketFormProps) {
  const { client } = useSession()
  const [choices, setChoices] = useState(() => choicesOf(bucket))
  const isTest = useRef(false)
  const [works, setWorks] = useState<'as saved' | 'unsaved' | null>(null)
  const [directUpload, setDirectUpload] = useState(true)
  const isNew = bucket === null
  // A successful test does not save anything.
  useUnsavedChanges(works === 'unsaved')

  async function submit(values: Values) {
    const settings = settingsOf(values, choices)
    if (isTest.current) return test(settings)
    if (isNew) await client.buckets.create(space.id, settings)
    else await client.buckets.update(space.id, bucket.id, bucketChange(bucket, settings))
    onSaved()
  }

  async function test(settings: BucketSettings) {
    const trial = isNew
      ? await client.buckets.testNew(space.id, settings)
      : await client.buckets.test(space.id, bucket.id, bucketChange(bucket, settings))
    setDirectUpload(trial.direct_upload)
    const isSaved = !isNew && Object.keys(bucketChange(bucket, settings)).length === 0
    setWorks(isSaved ? 'as saved' : 'unsaved')
  }

  return (
    <SubmitForm
      fields={FIELDS}
      check={(values) => check(values, choices, isNew)}
      submit={submit}
      beginsHere={isNew}
      guardsChanges
    >
      {(pending) => (
        <>
          <BucketFields
            bucket={bucket}
            choices={choices}
            onChoices={setChoices}
            onChange={() => setWorks(null)}
          />
          <div className="form-actions">
            <p className="bucket-test" role="status" data-good={(works !== null && !pending) || undefined}>
              {pending && t('Testing connection…')}
              {works !== null &&
                !pending &&
                (directUpload
                  ? t('The bucket works with these settings.')
                  : t(
                      'The bucket works with these settings, but browsers can’t upload directly, so uploads go through the server.',
                    ))}
            </p>
            <Button
              pending={pending}
              onClick={(event) => {
                isTest.current = true
                event.currentTarget.form?.requestSubmit()
              }}
            >
              {t('Test connection')}
            </Button>
            <Button
              type="submit"
              look="primary"
              pending={pending}
              onClick={() => {
                isTest.current = false
              }}
            >
              {isNew ? t('Add bucket') : t('Save bucket')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}

function choicesOf(bucket: StorageBucket | null): Choices {
  return {
    usePathStyle: bucket?.use_path_style ?? false,
    max: writeLimit(bucket?.max_bytes ?? null),
    upload: writeLimit(bucket?.upload_limit_bytes ?? null),
  }
}

function settingsOf(values: Values, { usePathStyle, max, upload }: Choices): BucketSettings {
  const text = (field: string) => (values[field] ?? '').trim()
  return {
    name: text('name'),
    endpoint: text('endpoint'),
    region: text('region') || null,
    bucket_name: text('bucket_name'),
    access_key_id: text('access_key_id'),
    secret_access_key: text('secret_access_key'),
    use_path_style: usePathStyle,
    max_bytes: readLimit(max) ?? null,
    upload_limit_bytes: readLimit(upload) ?? null,
  }
}

const NO_LIMIT = t('Enter a number above 0, or leave empty for no limit.')

function check(values: Values, { max, upload }: Choices, isNew: boolean): FormErrors {
  return {
    ...checkGiven(values, 'name', t('Enter a name for this bucket.')),
    ...checkGiven(values, 'endpoint', t('Enter the URL of the object store.')),
    ...checkGiven(values, 'bucket_name', t('Enter the bucket name.')),
    ...checkGiven(values, 'access_key_id', t('Enter the access key ID.')),
    ...(isNew ? checkGiven(values, 'secret_access_key', t('Enter the secret access key.')) : {}),
    ...(readLimit(max) === undefined ? { max_bytes: NO_LIMIT } : {}),
    ...(readLimit(upload) === undefined ? { upload_limit_bytes: NO_LIMIT } : {}),
  }
}
