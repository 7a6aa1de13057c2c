-- Whether browsers can upload to the bucket themselves. Every bucket was refused without that until now.
alter table storage_buckets add column direct_upload boolean not null default true;
