package dev.ratelimit.sample;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An endpoint that reads the database.
 */
@RestController
class BookController {

	private final BookRepository repository;

	BookController(BookRepository repository) {
		this.repository = repository;
	}

	@GetMapping("/api/books")
	public List<Book> books(@RequestParam String author) {
		return this.repository.findByAuthor(author);
	}

}
