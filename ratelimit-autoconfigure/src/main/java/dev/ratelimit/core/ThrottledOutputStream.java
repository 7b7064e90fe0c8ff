package dev.ratelimit.core;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;

/**
 * {@link OutputStream} that writes no more bytes than its bucket has tokens: one token is
 * one byte. A write waits for its tokens, in pieces of at most the bucket's capacity.
 */
public final class ThrottledOutputStream extends FilterOutputStream {

	private static final int MAX_PIECE = 8192;

	private final TokenBucket bucket;

	/**
	 * Creates a stream.
	 * @param out where the bytes go
	 * @param bucket the bucket that is asked, possibly shared by several streams
	 */
	public ThrottledOutputStream(OutputStream out, TokenBucket bucket) {
		super(out);
		this.bucket = bucket;
	}

	/**
	 * Writes one byte when the bucket has a token for it.
	 * @param b the byte
	 * @throws InterruptedIOException if the thread is interrupted while it waits; the
	 * interrupt flag stays set
	 * @throws IOException if the stream fails
	 */
	@Override
	public void write(int b) throws IOException {
		acquire(1);
		this.out.write(b);
	}

	/**
	 * Writes bytes as the bucket has tokens for them.
	 * @param b the array
	 * @param off where the bytes begin
	 * @param len how many
	 * @throws InterruptedIOException if the thread is interrupted while it waits; the
	 * interrupt flag stays set, and {@link InterruptedIOException#bytesTransferred} says
	 * how many bytes were written
	 * @throws IOException if the stream fails
	 */
	@Override
	public void write(byte[] b, int off, int len) throws IOException {
		java.util.Objects.checkFromIndexSize(off, len, b.length);
		int written = 0;
		while (written < len) {
			int piece = (int) Math.min(Math.min(len - written, MAX_PIECE), this.bucket.limit().capacity());
			try {
				acquire(piece);
			}
			catch (InterruptedIOException ex) {
				ex.bytesTransferred = written;
				throw ex;
			}
			this.out.write(b, off + written, piece);
			written += piece;
		}
	}

	private void acquire(int tokens) throws InterruptedIOException {
		try {
			this.bucket.acquire(tokens);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("interrupted while waiting for a rate limit");
		}
	}

}
