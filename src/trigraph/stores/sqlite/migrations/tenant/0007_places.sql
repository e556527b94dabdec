-- Where each term stands, for passages that are weighed without asking the index for each of them.
CREATE VIRTUAL TABLE lexical_place USING fts5vocab ('lexical', 'instance');
