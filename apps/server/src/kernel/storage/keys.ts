import { StoreError } from './object-store.ts'

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const KEY = new RegExp(`^(?:incoming/)?${ID}/${ID}$`)

/** Whether a text is a key that the server could have made. Nothing else becomes a path or an address. */
export function isObjectKey(text: string): boolean {
  return KEY.test(text)
}

/** @throws StoreError for what is no key */
export function checkedKey(key: string): string {
  if (!isObjectKey(key)) throw new StoreError('refused', 'this is no key of an object')
  return key
}
