create table book (
  title varchar(100) primary key,
  author varchar(100) not null
);
