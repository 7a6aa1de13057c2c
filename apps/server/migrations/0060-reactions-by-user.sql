-- What a person reacted with, without reading all reactions.
create index reactions_user on reactions (user_id);
