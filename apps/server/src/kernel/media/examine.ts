import { open, readFile, writeFile } from 'node:fs/promises'
import type { Blanked } from './blanking.ts'
import { type ByteSource, localSource } from './byte-source.ts'
import { blankHeif } from './heif.ts'
import { ImageRefusal, isImage, remakeImage } from './images.ts'
import type { Facts, Finding, Job } from './jobs.ts'
import { blankTiff } from './tiff.ts'
import { isMeasurable, typeOf } from './types.ts'
import { measureVideo } from './videos.ts'

/** Pictures that are not decoded. They keep their bytes, without their metadata. */
const BLANKERS: Readonly<Record<string, (bytes: Buffer) => Blanked>> = {
  'image/heic': blankHeif,
  'image/heif': blankHeif,
  'image/heic-sequence': blankHeif,
  'image/heif-sequence': blankHeif,
  'image/tiff': blankTiff,
}

type LocalJob = Extract<Job, { kind: 'local' }>

/**
 * Examines a file on this machine.
 * @param onType receives the detected type before further processing
 * @throws ImageRefusal for a refused picture
 */
export async function examineLocal(job: LocalJob, onType: (contentType: string) => void): Promise<Finding> {
  await using file = await open(job.path)
  const { size } = await file.stat()
  const source = localSource(file, size)
  const { expected } = job
  const contentType = await typeOf(source, expected.kind === 'any' ? expected.claimedType : 'image/*')
  if (expected.kind === 'image' && !isImage(contentType)) throw new ImageRefusal('invalid_image')
  onType(contentType)
  const blankMetadata = BLANKERS[contentType]
  if (blankMetadata !== undefined)
    return { facts: await blankedFacts(job, contentType, blankMetadata), isNew: true }
  if (!isImage(contentType)) return { facts: await factsOf(source, contentType), isNew: false }
  const fit = expected.kind === 'image' ? { fit: expected.fit } : {}
  return { facts: await remakeImage({ ...job, contentType, ...fit }), isNew: true }
}

async function blankedFacts(
  { path, outPath }: LocalJob,
  contentType: string,
  blankMetadata: (bytes: Buffer) => Blanked,
): Promise<Facts> {
  const bytes = await readFile(path)
  const size = blankMetadata(bytes)
  await writeFile(outPath, bytes)
  return { contentType, ...size, animated: false }
}

/** Examines a remote file. Pictures are treated as plain bytes, because they would have to be re-encoded. */
export async function examineRemote(
  source: ByteSource,
  claimedType: string,
  onType: (contentType: string) => void,
): Promise<Facts> {
  const found = await typeOf(source, claimedType)
  const contentType = isImage(found) ? 'application/octet-stream' : found
  onType(contentType)
  return factsOf(source, contentType)
}

async function factsOf(source: ByteSource, contentType: string): Promise<Facts> {
  if (isMeasurable(contentType)) return measureVideo(source, contentType)
  return { contentType, width: null, height: null, animated: false }
}
