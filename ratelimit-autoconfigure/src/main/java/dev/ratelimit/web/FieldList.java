package dev.ratelimit.web;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Reads the elements of a list from the right, and only as far as asked: what a proxy
 * appended reads the same, whatever a client wrote to the left of it.
 */
final class FieldList implements Iterator<String> {

	private final List<String> lines;

	private final char separator;

	private int line;

	private int end;

	private String next = "";

	/**
	 * Creates a reader.
	 * @param lines the lines of the field, in the order of the message
	 * @param separator stands between elements; within quotes it is text
	 */
	FieldList(List<String> lines, char separator) {
		this.lines = lines;
		this.separator = separator;
		this.line = lines.size();
		this.end = -1;
	}

	@Override
	public boolean hasNext() {
		while (this.next.isEmpty() && (this.end >= 0 || this.line > 0)) {
			if (this.end < 0) {
				this.line--;
				this.end = this.lines.get(this.line).length();
			}
			String text = this.lines.get(this.line);
			int start = lastSeparator(text);
			this.next = text.substring(start + 1, this.end).strip();
			this.end = start;
		}
		return !this.next.isEmpty();
	}

	/**
	 * Returns the next element to the left that is not empty.
	 */
	@Override
	public String next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		String element = this.next;
		this.next = "";
		return element;
	}

	private int lastSeparator(String text) {
		boolean quoted = false;
		for (int i = this.end - 1; i >= 0; i--) {
			char character = text.charAt(i);
			if (character == '"' && !(quoted && isEscaped(text, i))) {
				quoted = !quoted;
			}
			else if (character == this.separator && !quoted) {
				return i;
			}
		}
		return -1;
	}

	private static boolean isEscaped(String text, int index) {
		int start = index;
		while (start > 0 && text.charAt(start - 1) == '\\') {
			start--;
		}
		return (index - start) % 2 == 1;
	}

}
