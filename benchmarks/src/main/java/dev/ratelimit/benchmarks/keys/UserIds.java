package dev.ratelimit.benchmarks.keys;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Keys in an order that no cache line foresees.
 */
public final class UserIds {

	private final String[] ids;

	private int next;

	/**
	 * Creates keys.
	 * @param count how many; one or more
	 */
	public UserIds(int count) {
		List<String> shuffled = Arrays.asList(of(count));
		Collections.shuffle(shuffled, new Random(count));
		this.ids = shuffled.toArray(String[]::new);
	}

	static String[] of(int count) {
		return IntStream.range(0, count).mapToObj((number) -> "user-" + number).toArray(String[]::new);
	}

	/**
	 * Returns the next key; after the last comes the first.
	 * @return a key
	 */
	public String next() {
		String id = this.ids[this.next];
		this.next = (this.next + 1 < this.ids.length) ? this.next + 1 : 0;
		return id;
	}

}
