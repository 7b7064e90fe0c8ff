package dev.ratelimit.sample;

import java.util.List;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * A database that is spared: queries past the limit wait for their turn.
 */
@Repository
class BookRepository {

	private final JdbcClient jdbc;

	BookRepository(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@RateLimited(name = "books", rate = 10, capacity = 5, mode = RateLimitMode.WAIT, maxWait = "3s")
	public List<Book> findByAuthor(String author) {
		return this.jdbc.sql("select title, author from book where author = :author order by title")
			.param("author", author)
			.query(Book.class)
			.list();
	}

}
