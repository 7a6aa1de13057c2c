-- Files of spaces that were deleted by a version that kept them: an hourly job deletes what a deleted bucket still holds.
update storage_buckets set deleted_at = now(), active = false
from spaces
where spaces.id = storage_buckets.tenant_id and spaces.deleted_at is not null and storage_buckets.deleted_at is null;
