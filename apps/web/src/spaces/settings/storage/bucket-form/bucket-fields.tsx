import type { StorageBucket } from '@foyer/protocol/buckets'
import { limits } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { BucketHelp } from './bucket-help.tsx'
import type { WrittenLimit } from './byte-limit.ts'
import { LimitField } from './limit-field.tsx'

/** Form values that are not plain text fields. */
export interface Choices {
  readonly usePathStyle: boolean
  readonly max: WrittenLimit
  readonly upload: WrittenLimit
}

interface BucketFieldsProps {
  /** Null for a new bucket. */
  bucket: StorageBucket | null
  choices: Choices
  onChoices: (choices: Choices) => void
  /** Called on every change of a field. */
  onChange: () => void
}

export function BucketFields({ bucket, choices, onChoices, onChange }: BucketFieldsProps) {
  function choose(next: Choices) {
    onChoices(next)
    onChange()
  }

  return (
    <div className="form" onInput={onChange}>
      <BucketHelp />
      <TextField
        name="name"
        label={t('Name')}
        hint={t('Only shown in these settings.')}
        autoComplete="off"
        maxLength={limits.nameMax}
        placeholder={t('e.g. Team storage')}
        defaultValue={bucket?.name ?? ''}
      />
      <TextField
        name="endpoint"
        label={t('Endpoint')}
        hint={t('URL of the object store, without the bucket.')}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://s3.example.org"
        defaultValue={bucket?.endpoint ?? ''}
      />
      <div className="bucket-pair">
        <TextField
          name="bucket_name"
          label={t('Bucket')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={bucket?.bucket_name ?? ''}
        />
        <TextField
          name="region"
          label={t('Region')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="us-east-1"
          defaultValue={bucket?.region ?? ''}
        />
      </div>
      <div className="bucket-pair">
        <TextField
          name="access_key_id"
          label={t('Access key ID')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={bucket?.access_key_id ?? ''}
        />
        <TextField
          name="secret_access_key"
          label={t('Secret access key')}
          hint={
            bucket === null
              ? t('Stored encrypted and never shown again.')
              : t('Leave empty to keep the current key.')
          }
          type="password"
          // Keeps password managers from filling in the account's password.
          autoComplete="new-password"
          placeholder={bucket === null ? '' : '••••••••'}
        />
      </div>
      <SwitchRow
        label={t('Path-style URLs')}
        description={t(
          'Puts the bucket in the path instead of the host name. Most self-hosted stores need this.',
        )}
        checked={choices.usePathStyle}
        onChange={(usePathStyle) => choose({ ...choices, usePathStyle })}
      />
      <div className="bucket-pair">
        <LimitField
          name="max_bytes"
          label={t('Storage limit')}
          hint={t('How much this space can store here.')}
          limit={choices.max}
          onChange={(max) => choose({ ...choices, max })}
        />
        <LimitField
          name="upload_limit_bytes"
          label={t('File size limit')}
          hint={t('The largest file members can upload.')}
          limit={choices.upload}
          onChange={(upload) => choose({ ...choices, upload })}
        />
      </div>
    </div>
  )
}
