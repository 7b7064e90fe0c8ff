package dev.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The script that decides on calls.
 */
final class TokenBucketScript {

	static final String LOCATION = "dev/ratelimit/redis/token-bucket.lua";

	private final byte[] source;

	private final String digest;

	private TokenBucketScript(byte[] source, String digest) {
		this.source = source;
		this.digest = digest;
	}

	/**
	 * Loads the script from the class path.
	 */
	static TokenBucketScript load() {
		try (InputStream stream = TokenBucketScript.class.getResourceAsStream("token-bucket.lua")) {
			if (stream == null) {
				throw new IllegalStateException(LOCATION + " is not on the class path");
			}
			byte[] source = stream.readAllBytes();
			return new TokenBucketScript(source,
					HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the text of the script.
	 */
	byte[] source() {
		return this.source;
	}

	/**
	 * Returns the SHA-1 digest by which Redis knows the script.
	 */
	String digest() {
		return this.digest;
	}

}
