package dev.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits over a connection by TLS.
 */
@Timeout(120)
class RedisTlsTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	private Path directory;

	private RedisProcess server;

	private int port;

	@BeforeEach
	void start() throws Exception {
		makeCertificate();
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.port = socket.getLocalPort();
		}
		try {
			this.server = RedisProcess.start("--tls-port", Integer.toString(this.port), "--tls-cert-file",
					file("cert.pem"), "--tls-key-file", file("key.pem"), "--tls-ca-cert-file", file("cert.pem"),
					"--tls-auth-clients", "no");
		}
		catch (IllegalStateException ex) {
			Assumptions.abort("skipped: Redis knows no TLS on this platform: " + ex.getMessage());
		}
	}

	@AfterEach
	void stop() {
		if (this.server != null) {
			this.server.close();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void hold(String client) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitRedisAutoConfiguration.class,
							DataRedisAutoConfiguration.class, SslAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=30s",
					"ratelimit.buckets.orders.rate=1", "ratelimit.buckets.orders.per=1h",
					"ratelimit.buckets.orders.capacity=5", "ratelimit.buckets.orders.on-store-failure=deny",
					"spring.data.redis.client-type=" + client, "spring.data.redis.host=127.0.0.1",
					"spring.data.redis.port=" + this.port, "spring.data.redis.ssl.bundle=redis",
					"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + file("cert.pem"))
			.run((context) -> {
				TokenBucket bucket = context.getBean("ratelimit.bucket.orders", TokenBucket.class);
				assertThat(bucket.tryAcquire(5)).isTrue();
				assertThat(bucket.tryAcquire(1)).isFalse();
				assertThat(this.server.command("EXISTS", "ratelimit:orders")).isEqualTo(":1");
			});
	}

	private void makeCertificate() throws Exception {
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "redis", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=ip:127.0.0.1",
				"-storetype", "PKCS12", "-keystore", file("redis.p12"), "-storepass", PASSWORD)
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream stream = Files.newInputStream(this.directory.resolve("redis.p12"))) {
			store.load(stream, PASSWORD.toCharArray());
		}
		Key key = store.getKey("redis", PASSWORD.toCharArray());
		writePem("key.pem", "PRIVATE KEY", key.getEncoded());
		writePem("cert.pem", "CERTIFICATE", store.getCertificate("redis").getEncoded());
	}

	private void writePem(String name, String type, byte[] content) throws IOException {
		Files.writeString(this.directory.resolve(name), "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
			.formatted(type, Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content)));
	}

	private String file(String name) {
		return this.directory.resolve(name).toString();
	}

}
