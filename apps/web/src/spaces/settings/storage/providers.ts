interface Provider {
  readonly name: string
  readonly endpoint: string
  readonly region: string
  readonly usesPathStyle: boolean
}

/** What to fill in for object stores that many people use. Words in angle brackets are one's own. */
export const providers: readonly Provider[] = [
  {
    name: 'Amazon S3',
    endpoint: 'https://s3.<region>.amazonaws.com',
    region: 'such as eu-central-1',
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
    region: 'such as eu-central-003',
    usesPathStyle: false,
  },
  {
    name: 'Hetzner',
    endpoint: 'https://<location>.your-objectstorage.com',
    region: 'such as fsn1',
    usesPathStyle: false,
  },
  {
    name: 'Scaleway',
    endpoint: 'https://s3.<region>.scw.cloud',
    region: 'such as fr-par',
    usesPathStyle: false,
  },
  {
    name: 'DigitalOcean Spaces',
    endpoint: 'https://<region>.digitaloceanspaces.com',
    region: 'such as fra1',
    usesPathStyle: false,
  },
  {
    name: 'Wasabi',
    endpoint: 'https://s3.<region>.wasabisys.com',
    region: 'such as eu-central-1',
    usesPathStyle: false,
  },
  {
    name: 'MinIO, Garage, Ceph or another of your own',
    endpoint: 'https://s3.example.org',
    region: 'as it is set up there, often us-east-1',
    usesPathStyle: true,
  },
]
