import { createHash, createHmac } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'

/** Uses Node's own digests. WebCrypto, with a thread switch for each, took 0.6 ms per address. */
export class S3Signer extends AwsV4Signer {
  override async signature(): Promise<string> {
    const { datetime, region, service, secretAccessKey } = this
    const scope = [datetime.slice(0, 8), region, service, 'aws4_request']
    const key = scope.reduce<string | Buffer>(
      (outer, part) => createHmac('sha256', outer).update(part).digest(),
      `AWS4${secretAccessKey}`,
    )
    return createHmac('sha256', key)
      .update(await this.stringToSign())
      .digest('hex')
  }

  override async stringToSign(): Promise<string> {
    const canonical = createHash('sha256')
      .update(await this.canonicalString())
      .digest('hex')
    return ['AWS4-HMAC-SHA256', this.datetime, this.credentialString, canonical].join('\n')
  }
}
