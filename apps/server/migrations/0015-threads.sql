-- Threads of replies: each reply knows the message at the beginning of what it goes on with, however many replies lie between.
-- Only replies are in the index, which holds all that counting them takes.

alter table messages add column thread_id uuid;

create temporary table replies on commit drop as
select tenant_id, channel_id, id, reference_message_id as answered_id from messages where reference_type = 0 and type in (0, 4);
create unique index on replies (tenant_id, channel_id, id);
create index on replies (tenant_id, channel_id, answered_id);
analyze replies;

with recursive threads as (
  select tenant_id, channel_id, id, answered_id as thread_id from replies
  where not exists (
    select from replies as answered
    where answered.tenant_id = replies.tenant_id and answered.channel_id = replies.channel_id
      and answered.id = replies.answered_id)
  union all
  select replies.tenant_id, replies.channel_id, replies.id, thread_id
  from threads join replies on replies.tenant_id = threads.tenant_id and replies.channel_id = threads.channel_id
    and replies.answered_id = threads.id
)
update messages set thread_id = threads.thread_id
from threads
where messages.tenant_id = threads.tenant_id and messages.channel_id = threads.channel_id and messages.id = threads.id;

create index messages_thread on messages (tenant_id, channel_id, thread_id, seq) include (author_id, created_at)
where thread_id is not null;
