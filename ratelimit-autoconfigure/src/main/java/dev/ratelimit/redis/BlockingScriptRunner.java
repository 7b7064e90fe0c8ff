package dev.ratelimit.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * {@link ScriptRunner} through any connection, on a few threads of its own.
 */
final class BlockingScriptRunner implements ScriptRunner {

	private final RedisConnectionFactory connectionFactory;

	private final TokenBucketScript script;

	private final RedisThreads threads;

	BlockingScriptRunner(RedisConnectionFactory connectionFactory, TokenBucketScript script, RedisThreads threads) {
		this.connectionFactory = connectionFactory;
		this.script = script;
		this.threads = threads;
	}

	@Override
	public CompletableFuture<List<Object>> run(byte[] key, byte[][] arguments) {
		byte[][] keyAndArguments = new byte[arguments.length + 1][];
		keyAndArguments[0] = key;
		System.arraycopy(arguments, 0, keyAndArguments, 1, arguments.length);
		return this.threads.submit(() -> {
			try (RedisConnection connection = this.connectionFactory.getConnection()) {
				return run(connection, keyAndArguments);
			}
		});
	}

	@Override
	public void connect() {
	}

	@Override
	public void reset() {
	}

	private List<Object> run(RedisConnection connection, byte[][] keyAndArguments) {
		try {
			return connection.scriptingCommands().evalSha(this.script.digest(), ReturnType.MULTI, 1, keyAndArguments);
		}
		catch (RuntimeException ex) {
			if (!ErrorReply.isScriptMissing(ex)) {
				throw ex;
			}
			return connection.scriptingCommands().eval(this.script.source(), ReturnType.MULTI, 1, keyAndArguments);
		}
	}

}
