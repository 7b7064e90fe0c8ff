package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitWebAutoConfiguration}.
 */
class RateLimitWebAutoConfigurationTests {

	private static final AutoConfigurations TESTED = AutoConfigurations.of(RateLimitWebAutoConfiguration.class);

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(TESTED);

	@Test
	void servesWebApplicationsAndNoOther() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RateLimitProblemMapper.class)
			.hasSingleBean(RateLimitHeaders.class)
			.hasSingleBean(ClientIpResolver.class));
		new ApplicationContextRunner().withConfiguration(TESTED)
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitProblemMapper.class)
				.doesNotHaveBean(RateLimitHeaders.class)
				.doesNotHaveBean(ClientIpResolver.class));
	}

	@ParameterizedTest
	@CsvSource({ "standard, RateLimit", "STANDARD, RateLimit", "legacy, X-RateLimit-Limit" })
	void writesTheFieldsThatArePreferred(String style, String field) {
		RateLimitDecision decision = new RateLimitDecision("a", RateLimit.of(1, Duration.ofSeconds(1), 1), 0, true,
				null);
		this.runner.withPropertyValues("ratelimit.http.headers=" + style)
			.run((context) -> assertThat(context.getBean(RateLimitHeaders.class).of(List.of(decision)))
				.containsKey(field));
	}

	@Test
	void writesNoFieldsWhereNoneIsPreferred() {
		this.runner.withPropertyValues("ratelimit.http.headers=none")
			.run((context) -> assertThat(context.getBean(RateLimitHeaders.class).names()).isEmpty());
	}

	@Test
	void believesTheProxiesThatAreTrusted() {
		this.runner
			.withPropertyValues("ratelimit.http.client-ip.trusted-proxies=10.0.0.0/8, 192.0.2.1",
					"ratelimit.http.client-ip.ipv6-prefix=48")
			.run((context) -> {
				ClientIpResolver resolver = context.getBean(ClientIpResolver.class);
				assertThat(resolver.resolve("10.0.0.1", List.of(), List.of("2001:db8:1:2::1, 192.0.2.1")))
					.isEqualTo("2001:db8:1::/48");
			});
	}

	@Test
	void aBadProxyEndsStartupWithWhatToWriteInstead() {
		this.runner.withPropertyValues("ratelimit.http.client-ip.trusted-proxies[0]=10.0.0.0/8",
				"ratelimit.http.client-ip.trusted-proxies[1]=proxy.example", "ratelimit.http.client-ip.ipv6-prefix=129")
			.run((context) -> {
				Throwable failure = context.getStartupFailure();
				assertThat(failure).hasRootCauseInstanceOf(RateLimitConfigurationException.class);
				FailureAnalysis analysis = new RateLimitConfigurationFailureAnalyzer().analyze(failure);
				assertThat(analysis.getDescription()).contains(
						"1. ratelimit.http.client-ip.trusted-proxies[1] must be an address or a range of addresses, but was 'proxy.example'",
						"2. ratelimit.http.client-ip.ipv6-prefix must be from 1 to 128, but was 129");
				assertThat(analysis.getAction()).contains("\"10.0.0.0/8\"");
			});
	}

}
