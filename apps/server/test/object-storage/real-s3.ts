import { randomUUID } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from '#src/config.ts'
import { isRadosgwInstalled, type RealS3 } from './radosgw.ts'

const NOT_INSTALLED = 'radosgw is not installed: apt-get install radosgw ceph-mon ceph-osd ceph-common'

const REGION = 'us-east-1'

/** Returns the reason to skip tests with a real S3 server, or false if one is installed. @throws Error in CI if none is */
export function whyNoS3(): string | false {
  if (isRadosgwInstalled()) return false
  if (process.env.CI === 'true') throw new Error(NOT_INSTALLED)
  return NOT_INSTALLED
}

/** Returns the run's S3 server. */
async function findRealS3(): Promise<RealS3> {
  const door = process.env.FOYER_TEST_S3
  if (door === undefined) throw new Error('tests run with apps/server/test/global-setup.ts: use bin/test')
  const response = await fetch(door)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}

/** Creates a bucket for one test. */
export async function makeBucket(usePathStyle = true): Promise<S3Settings> {
  const s3 = await findRealS3()
  const bucketName = `test-${randomUUID()}`
  await manage(s3, { method: 'PUT', path: bucketName })
  return {
    endpoint: usePathStyle ? s3.endpoint : s3.hostedEndpoint,
    region: REGION,
    bucketName,
    accessKeyId: s3.accessKeyId,
    secretAccessKey: s3.secretAccessKey,
    usePathStyle,
  }
}

/** Allows pages of one origin to read and write the bucket (CORS). */
export async function allowOrigin(bucketName: string, origin: string): Promise<void> {
  const body = `<CORSConfiguration><CORSRule><AllowedOrigin>${origin}</AllowedOrigin>
    <AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod>
    <AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>`
  await manage(await findRealS3(), { method: 'PUT', path: `${bucketName}?cors`, body })
}

async function manage(s3: RealS3, request: { method: string; path: string; body?: string }): Promise<void> {
  const { accessKeyId, secretAccessKey } = s3
  const given = { ...request, url: `${s3.endpoint}/${request.path}` }
  const signer = new AwsV4Signer({ ...given, accessKeyId, secretAccessKey, service: 's3', region: REGION })
  const { url, method, headers } = await signer.sign()
  const response = await fetch(url, { method, headers, body: request.body ?? null })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url.pathname}: ${response.status} ${text}`)
}
