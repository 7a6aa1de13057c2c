import { t } from '#src/language/texts.ts'

interface Provider {
  readonly name: string
  readonly endpoint: string
  readonly region: string
  readonly usesPathStyle: boolean
}

/** Settings for common object stores. Words in angle brackets are placeholders. */
export const providers: readonly Provider[] = [
  {
    name: 'Amazon S3',
    endpoint: 'https://s3.<region>.amazonaws.com',
    region: t('e.g. {region}', { region: 'eu-central-1' }),
    usesPathStyle: false,
  },
  {
    name: 'Cloudflare R2',
    endpoint: 'https://<account>.r2.cloudflarestorage.com',
    region: 'auto',
    usesPathStyle: true,
  },
  {
    name: 'Backblaze B2',
    endpoint: 'https://s3.<region>.backblazeb2.com',
    region: t('e.g. {region}', { region: 'eu-central-003' }),
    usesPathStyle: false,
  },
  {
    name: 'Hetzner',
    endpoint: 'https://<location>.your-objectstorage.com',
    region: t('e.g. {region}', { region: 'fsn1' }),
    usesPathStyle: false,
  },
  {
    name: 'Scaleway',
    endpoint: 'https://s3.<region>.scw.cloud',
    region: t('e.g. {region}', { region: 'fr-par' }),
    usesPathStyle: false,
  },
  {
    name: 'DigitalOcean Spaces',
    endpoint: 'https://<region>.digitaloceanspaces.com',
    region: t('e.g. {region}', { region: 'fra1' }),
    usesPathStyle: false,
  },
  {
    name: 'Wasabi',
    endpoint: 'https://s3.<region>.wasabisys.com',
    region: t('e.g. {region}', { region: 'eu-central-1' }),
    usesPathStyle: false,
  },
  {
    name: t('MinIO, Garage, Ceph or other self-hosted storage'),
    endpoint: 'https://s3.example.org',
    region: t('as configured in your storage, often us-east-1'),
    usesPathStyle: true,
  },
]
