insert into book (title, author) values
  ('Emma', 'Jane Austen'),
  ('Persuasion', 'Jane Austen'),
  ('Middlemarch', 'George Eliot');
