/** Before and behind every id that is made: of what is listed from an id on, the beginning and the end. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000'
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
