package dev.ratelimit.core;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Keys in the form in which buckets are kept: a long key is replaced by its SHA-256 hash,
 * so that it costs no more space than that.
 */
public final class BucketKey {

	private static final int MAX_LENGTH = 64;

	private static final char HASHED = '\0';

	private BucketKey() {
	}

	/**
	 * Returns the form in which the bucket of a key is kept in memory.
	 */
	static String of(String key) {
		return (key.length() > MAX_LENGTH || key.indexOf(HASHED) == 0) ? HASHED + hash(key) : key;
	}

	/**
	 * Returns a short text that stands for a key, for stores that keep no long ones.
	 * @param key the key, which need not be valid text
	 * @return its SHA-256 hash: 43 letters, digits, dashes and underscores
	 */
	public static String hash(String key) {
		try {
			ByteBuffer bytes = ByteBuffer.allocate(key.length() * Character.BYTES);
			bytes.asCharBuffer().put(key);
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.array());
			return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
