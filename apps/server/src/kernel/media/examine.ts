import { open, readFile, writeFile } from 'node:fs/promises'
import type { Blanked } from './blanking.ts'
import { type ByteSource, localSource } from './byte-source.ts'
import { blankHeif } from './heif.ts'
import { ImageRefusal, isImage, remakeImage } from './images.ts'
import type { Facts, Finding, Job } from './jobs.ts'
import { blankTiff } from './tiff.ts'
import { isMeasurable, typeOf } from './types.ts'
import { measureVideo } from './videos.ts'

/** Pictures that are not decoded: they keep their bytes, and lose their metadata. */
const BLANKERS: Readonly<Record<string, (bytes: Buffer) => Blanked>> = {
  'image/heic': blankHeif,
  'image/heif': blankHeif,
  'image/heic-sequence': blankHeif,
  'image/heif-sequence': blankHeif,
  'image/tiff': blankTiff,
}

type LocalJob = Extract<Job, { kind: 'local' }>

/**
 * Looks at a file on this machine.
 * @param onType hears what it seems to be before more is done with it
 * @throws ImageRefusal for a picture that is not taken
 */
export async function examineLocal(job: LocalJob, onType: (contentType: string) => void): Promise<Finding> {
  await using file = await open(job.path)
  const { size } = await file.stat()
  const source = localSource(file, size)
  const { wish } = job
  const contentType = await typeOf(source, wish.kind === 'any' ? wish.claimedType : 'image/*')
  if (wish.kind === 'image' && !isImage(contentType)) throw new ImageRefusal('invalid_image')
  onType(contentType)
  const blankMetadata = BLANKERS[contentType]
  if (blankMetadata !== undefined)
    return { facts: await blankedFacts(job, contentType, blankMetadata), isNew: true }
  if (!isImage(contentType)) return { facts: await factsOf(source, contentType), isNew: false }
  const fit = wish.kind === 'image' ? { fit: wish.fit } : {}
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

/** Looks at a file elsewhere. Pictures, which would have to be made anew, are nothing in particular there. */
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
