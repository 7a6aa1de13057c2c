import { StoreError } from './object-store.ts'

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const KEY = new RegExp(`^(?:incoming/)?${ID}/${ID}$`)

/** Returns true if a text has the form of the server's own keys. Other texts may not become a path or an address. */
export function isObjectKey(text: string): boolean {
  return KEY.test(text)
}

/** @throws StoreError for an invalid key */
export function checkedKey(key: string): string {
  if (!isObjectKey(key)) throw new StoreError('refused', 'this is not an object key')
  return key
}
