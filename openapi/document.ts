import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestServer } from '../apps/server/test/server.ts'

/** Folder for the tools' output, beside the scripts that use it. */
export const GENERATED = fileURLToPath(new URL('generated', import.meta.url))

/** Saves the OpenAPI document of a running server in an empty folder. Returns its path. */
export async function saveDocument(server: TestServer, folder: string): Promise<string> {
  await rm(`${GENERATED}/${folder}`, { recursive: true, force: true })
  await mkdir(`${GENERATED}/${folder}`, { recursive: true })
  const path = `${GENERATED}/${folder}/openapi.json`
  await writeFile(path, await (await server.fetch('/api/docs/json')).text())
  return path
}
