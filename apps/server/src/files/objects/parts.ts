import { join } from 'node:path'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import { Media } from '#src/kernel/media/media.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { Sealer } from '#src/kernel/secrets/sealing.ts'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import { FreeDisk } from '#src/kernel/storage/free-disk.ts'
import type { ObjectStore } from '#src/kernel/storage/object-store.ts'
import { S3Store } from '#src/kernel/storage/s3-store.ts'
import { StorageUrlSigner } from '#src/kernel/storage/url-signer.ts'
import { TempFolder } from '#src/kernel/temp-folder.ts'
import { DownloadFacts } from './download-facts.ts'
import type { OwnLimits } from './queries.ts'
import { DownloadSigner } from './signatures.ts'
import { Stores } from './stores.ts'

/** Components for everything that handles files. */
export interface FileParts {
  /** Client for requests to addresses that users chose. */
  outgoing: Outgoing
  /** Client for requests to addresses from the operator's settings. */
  trusted: Outgoing
  sealer: Sealer
  stores: Stores
  /** Signs addresses for uploads that the server relays to a bucket. */
  relayUrls: StorageUrlSigner
  media: Media
  ownLimits: OwnLimits
  tempFolder: TempFolder
  formSpace: FormSpace
  downloads: DownloadSigner
  downloadFacts: DownloadFacts
  /** Ends connections and child processes. */
  closeFiles(): Promise<void>
}

export function createFileParts(deps: {
  config: Config
  secretKey: string
  database: Database
  bus: Bus
}): FileParts {
  const { config, secretKey } = deps
  const storeParts = openStores(config, secretKey)
  const { outgoing, trusted, stores } = storeParts
  const tempFolder = new TempFolder(join(config.dataDir, 'tmp'))
  const media = new Media(tempFolder.path)
  const disk = new FreeDisk(config.dataDir, config.minFreeDiskBytes)
  return {
    ...storeParts,
    media,
    ownLimits: {
      maxBytes: config.defaultStorageBytes ?? null,
      uploadLimitBytes: config.uploadLimitBytes,
      ownerMaxBytes: config.ownerStorageBytes ?? null,
      ...(config.s3 === undefined ? { disk } : {}),
    },
    tempFolder,
    formSpace: new FormSpace(tempFolder, disk),
    downloads: new DownloadSigner(secretKey),
    downloadFacts: new DownloadFacts({ ...deps, stores }),
    async closeFiles() {
      await Promise.all([media.close(), outgoing.close(), trusted.close(), tempFolder.close()])
    },
  }
}

/** Stores, and the parts they are built from. */
type StoreParts = Pick<FileParts, 'outgoing' | 'trusted' | 'sealer' | 'stores' | 'relayUrls'>

/** Opens the stores of files. The caller closes both clients. */
export function openStores(config: Config, secretKey: string): StoreParts {
  const outgoing = new Outgoing(config)
  const trusted = new Outgoing('trusted')
  const sealer = new Sealer(secretKey)
  const relayUrls = new StorageUrlSigner(secretKey, '/attachments/incoming')
  const own = openOwnStore(config, secretKey, trusted)
  const stores = new Stores({ own, outgoing, sealer, relayUrls })
  return { outgoing, trusted, sealer, stores, relayUrls }
}

function openOwnStore({ s3, dataDir }: Config, secretKey: string, trusted: Outgoing): ObjectStore {
  return s3 === undefined
    ? new FolderStore({ folder: join(dataDir, 'files'), secretKey })
    : new S3Store(s3, trusted)
}
