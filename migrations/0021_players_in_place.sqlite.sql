-- A player's rating changes with every round, and whoever asks for ranks counts all players of the pool anyway: an
-- index of ratings costs each change an entry that is deleted and another that is inserted elsewhere.
drop index players_by_rating;
