import type { Message } from '@foyer/protocol/messages'
import type { Answer, Person } from './people.ts'
import { fileOf } from './pictures.ts'

/** A file that is what it says, and no image. */
export function note(text: string, name = 'note.txt'): File {
  return fileOf(text, name, 'text/plain')
}

/** Sends a form as a message. */
export function postForm(person: Person, roomId: string, form: FormData): Promise<Answer> {
  return person.call('POST', `/api/rooms/${roomId}/messages`, form)
}

/** Puts a file past the server; answers with its id for `attachment_ids`. */
export async function putUpload(person: Person, roomId: string, file: File): Promise<string> {
  const body = { filename: file.name, size_bytes: file.size, content_type: file.type }
  const { attachment_id, upload } = await person.client.attachments.create(roomId, body)
  const url = person.client.addressOf(upload.url)
  const response = await fetch(url, { method: upload.method, headers: upload.headers, body: file })
  if (!response.ok) throw new Error(`the storage answered with ${response.status}`)
  return attachment_id
}

/** What a message's files are, in their order. */
export function namesOf({ attachments }: Pick<Message, 'attachments'>): string[] {
  return attachments.map(({ filename }) => filename)
}

/** `404 unknown_attachment`, or just the status of a success. */
export async function codeOf(answer: Promise<Answer>): Promise<number | string> {
  const { status, code } = await answer
  return code === null ? status : `${status} ${code}`
}
