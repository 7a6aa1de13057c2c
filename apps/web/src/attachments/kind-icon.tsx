import {
  File,
  FileArchive,
  FileImage,
  FileMusic,
  FileText,
  FileType,
  FileVideo,
  type LucideIcon,
} from 'lucide-react'
import { type FileKind, kindOf } from './transfer/kinds.ts'

const ICONS: Record<FileKind, LucideIcon> = {
  image: FileImage,
  video: FileVideo,
  audio: FileMusic,
  text: FileText,
  archive: FileArchive,
  document: FileType,
  file: File,
}

/** The icon of a file's kind. */
export function KindIcon({ contentType }: { contentType: string }) {
  const Icon = ICONS[kindOf(contentType)]
  return <Icon className="file-icon" aria-hidden="true" />
}
