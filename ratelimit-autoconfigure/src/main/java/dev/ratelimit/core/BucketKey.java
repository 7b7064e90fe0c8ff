package dev.ratelimit.core;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Keys in the form in which buckets are kept in memory: a long key is replaced by its
 * SHA-256 hash, so that it costs no more memory than that.
 */
final class BucketKey {

	private static final int MAX_LENGTH = 64;

	private static final char HASHED = '\0';

	private BucketKey() {
	}

	/**
	 * Returns the form in which the bucket of a key is kept.
	 */
	static String of(String key) {
		return (key.length() > MAX_LENGTH || key.indexOf(HASHED) == 0) ? HASHED + hash(key) : key;
	}

	private static String hash(String key) {
		try {
			ByteBuffer bytes = ByteBuffer.allocate(key.length() * Character.BYTES);
			bytes.asCharBuffer().put(key);
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.array());
			return Base64.getEncoder().withoutPadding().encodeToString(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
