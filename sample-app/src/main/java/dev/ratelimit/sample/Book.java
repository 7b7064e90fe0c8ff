package dev.ratelimit.sample;

/**
 * A book.
 *
 * @param title its title
 * @param author who wrote it
 */
record Book(String title, String author) {

}
