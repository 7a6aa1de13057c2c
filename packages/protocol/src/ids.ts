/** Bounds of all ids, to list from the beginning or the end. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000'
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
