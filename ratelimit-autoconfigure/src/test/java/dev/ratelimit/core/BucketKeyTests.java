package dev.ratelimit.core;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the form in which a {@link BucketKey} is kept.
 */
class BucketKeyTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 64 })
	void isTheKeyItselfWhenShort(int length) {
		String key = "k".repeat(length);
		assertThat(BucketKey.of(key)).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(ints = { 65, 100_000 })
	void isShortWhenTheKeyIsLong(int length) {
		assertThat(BucketKey.of("k".repeat(length))).hasSizeLessThanOrEqualTo(64)
			.isEqualTo(BucketKey.of("k".repeat(length)))
			.isNotEqualTo(BucketKey.of("k".repeat(length - 1) + "l"));
	}

	@Test
	void cannotBeForgedByAKeyThatLooksLikeIt() {
		String kept = BucketKey.of("k".repeat(65));
		assertThat(BucketKey.of(kept)).isNotEqualTo(kept);
	}

	@Test
	void tellsKeysApartThatDifferInTheirHigherBytesOnly() {
		assertThat(BucketKey.of("\u0141".repeat(65))).isNotEqualTo(BucketKey.of("\u0041".repeat(65)));
	}

}
