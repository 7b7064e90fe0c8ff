package dev.ratelimit.redis;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;

/**
 * A Redis server of one test class, from a binary on the class path.
 */
public final class RedisProcess implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 30;

	/**
	 * Names a binary to run instead, of whatever version.
	 */
	private static final String OTHER_BINARY = "ratelimit.test.redis-server";

	private final Path binary;

	private final int port;

	private final List<String> options;

	private Process process;

	private RedisProcess(Path binary, int port, List<String> options) {
		this.binary = binary;
		this.port = port;
		this.options = options;
	}

	/**
	 * Starts Redis 7.0.
	 */
	public static RedisProcess start(String... options) {
		return start(Version.SEVEN, options);
	}

	/**
	 * Starts a server. The test is skipped where the platform has no binary that runs.
	 */
	static RedisProcess start(Version version, String... options) {
		try {
			Path binary = version.unpack();
			Assumptions.assumeTrue(binary != null,
					() -> "skipped: there is no Redis %s for %s".formatted(version.number, platform()));
			Assumptions.assumeTrue(runs(binary),
					() -> "skipped: Redis %s does not run on this machine".formatted(version.number));
			RedisProcess server = new RedisProcess(binary, freePort(), List.of(options));
			server.launch();
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts a sentinel of 6.2 that watches a master alone, and replaces it half a second
	 * after it has gone.
	 */
	static RedisProcess startSentinel(String name, RedisProcess master) {
		try {
			Path configuration = Files.createTempFile(master.directory(), "sentinel", ".conf");
			return start(Version.SIX, configuration.toString(), "--sentinel", "monitor", name, "127.0.0.1",
					Integer.toString(master.port), "1", "--sentinel", "down-after-milliseconds", name, "500",
					"--sentinel", "failover-timeout", name, "1000");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts a node of a cluster, which knows no others yet.
	 */
	static RedisProcess startInCluster() {
		return start(Version.SEVEN, "--cluster-enabled", "yes", "--cluster-config-file",
				"nodes-" + System.nanoTime() + ".conf");
	}

	public int port() {
		return this.port;
	}

	/**
	 * Starts the server again, empty, on the same port.
	 */
	public void launch() throws IOException {
		List<String> command = new ArrayList<>(List.of(this.binary.toString()));
		command.addAll(this.options);
		command.addAll(List.of("--port", Integer.toString(this.port), "--bind", "127.0.0.1", "--save", "",
				"--appendonly", "no", "--daemonize", "no", "--dir", directory().toString()));
		this.process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		while (!answers()) {
			if (System.nanoTime() - deadline > 0 || !this.process.isAlive()) {
				throw new IllegalStateException("Redis does not start: " + command);
			}
			Thread.onSpinWait();
			Thread.yield();
		}
	}

	/**
	 * Kills the server.
	 */
	void kill() {
		this.process.destroyForcibly();
		try {
			this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Sends one command and returns the first line of the reply.
	 */
	public String command(String... words) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			send(socket, words);
			return line(socket.getInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Sends one command that is answered with a text, and returns that; empty if there is
	 * none.
	 */
	public String text(String... words) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			send(socket, words);
			int length = Integer.parseInt(line(socket.getInputStream()).substring(1));
			return new String(socket.getInputStream().readNBytes(Math.max(0, length)), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void send(Socket socket, String... words) throws IOException {
		socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
		StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
		for (String word : words) {
			request.append("$%d\r\n%s\r\n".formatted(word.getBytes(StandardCharsets.UTF_8).length, word));
		}
		socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
	}

	private static String line(InputStream stream) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = stream.read(); next != '\n'; next = stream.read()) {
			if (next < 0) {
				throw new EOFException("the server has closed the connection");
			}
			line.append((char) next);
		}
		return line.toString().strip();
	}

	@Override
	public void close() {
		kill();
	}

	/**
	 * Returns the folder of this server, made where there is none: a replica writes what
	 * it gets from its master.
	 */
	private Path directory() throws IOException {
		return Files.createDirectories(Path.of("target", "redis", "port-" + this.port)).toAbsolutePath();
	}

	private boolean answers() {
		try {
			return command("PING").equals("+PONG");
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static boolean runs(Path binary) throws IOException {
		Process process = new ProcessBuilder(binary.toString(), "--version").redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private static String platform() {
		String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin"
				: System.getProperty("os.name").toLowerCase(Locale.ROOT);
		String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
		return system + "-" + architecture;
	}

	/**
	 * A version for which there are binaries.
	 */
	enum Version {

		SIX("6.2", "redis-server-6.2.6-v5-", "redis-server-6.2.7-"),

		SEVEN("7.0", "redis-server-7.0.15-");

		private final String number;

		private final String[] names;

		Version(String number, String... names) {
			this.number = number;
			this.names = names;
		}

		private Path unpack() throws IOException {
			if (System.getProperty(OTHER_BINARY) != null) {
				return Path.of(System.getProperty(OTHER_BINARY)).toAbsolutePath();
			}
			for (String name : this.names) {
				try (InputStream stream = getClass().getResourceAsStream("/" + name + platform())) {
					if (stream != null) {
						return unpack(stream, name);
					}
				}
			}
			return null;
		}

		private static Path unpack(InputStream stream, String name) throws IOException {
			Path directory = Files.createDirectories(Path.of("target", "redis", name + ProcessHandle.current().pid()));
			Path binary = directory.resolve("redis-server").toAbsolutePath();
			if (!Files.exists(binary)) {
				Files.copy(stream, binary);
				if (!binary.toFile().setExecutable(true)) {
					throw new IOException(binary + " cannot be made executable");
				}
			}
			return binary;
		}

	}

}
