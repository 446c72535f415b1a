-- The back office looks for a seller among all names: there is no index of words to keep.
--
-- Locks: ACCESS EXCLUSIVE on people and sellers, for an instant.
SET LOCAL lock_timeout = '2s';

DROP FUNCTION desk_names_changed() CASCADE;
DROP FUNCTION desk_name_seller(bigint);
DROP FUNCTION desk_words(text);
DROP TABLE seller_words;
