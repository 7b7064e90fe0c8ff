package dev.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.reactive.CallContextWebFilter;
import dev.ratelimit.web.reactive.CallerWebFilter;
import dev.ratelimit.web.reactive.ExchangeCallContextSource;
import dev.ratelimit.web.reactive.RateLimitExceptionAdvice;
import dev.ratelimit.web.reactive.RateLimitWebExceptionHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.reactive.DispatcherHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitWebFluxAutoConfiguration}.
 */
class RateLimitWebFluxAutoConfigurationTests {

	private static final AutoConfigurations TESTED = AutoConfigurations.of(RateLimitWebAutoConfiguration.class,
			RateLimitWebFluxAutoConfiguration.class);

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(TESTED);

	@Test
	void configuresWebFlux() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(CallContextWebFilter.class)
			.hasSingleBean(CallerWebFilter.class)
			.hasSingleBean(ExchangeCallContextSource.class)
			.hasSingleBean(RateLimitExceptionAdvice.class)
			.hasSingleBean(RateLimitWebExceptionHandler.class));
	}

	@Test
	void staysActiveWhereLimitsAreOff() {
		this.runner.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RateLimitExceptionAdvice.class));
	}

	@Test
	void backsOffFromTheMapperOfTheApplication() {
		RateLimitProblemMapper mapper = RateLimitProblemMapper.standard();
		this.runner.withBean("theirs", RateLimitProblemMapper.class, () -> mapper)
			.run((context) -> assertThat(context).getBean(RateLimitProblemMapper.class).isSameAs(mapper));
	}

	@Test
	void backsOffFromTheSourceOfTheApplication() {
		CallContext.Source source = () -> null;
		this.runner.withBean("theirs", CallContext.Source.class, () -> source)
			.run((context) -> assertThat(context).getBean(CallContext.Source.class).isSameAs(source));
	}

	@Test
	void backsOffWithoutWebFlux() {
		this.runner.withClassLoader(new FilteredClassLoader(DispatcherHandler.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallContextWebFilter.class));
	}

	@Test
	void backsOffInAServletApplication() {
		new WebApplicationContextRunner().withConfiguration(TESTED)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CallContextWebFilter.class));
	}

	@Test
	void backsOffWithoutAnyWebLibrary() {
		new ApplicationContextRunner().withConfiguration(TESTED)
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http", "reactor"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitProblemMapper.class));
	}

	@Test
	void isFoundByEveryApplication() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(RateLimitWebFluxAutoConfiguration.class.getName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.test.autoconfigure.web.reactive.AutoConfigureWebFlux",
			"org.springframework.boot.webflux.test.autoconfigure.AutoConfigureWebFlux" })
	void isFoundByTheWebFluxSliceOfEitherLine(String annotation) {
		assertThat(new ClassPathResource("META-INF/spring/" + annotation + ".imports"))
			.returns(true, ClassPathResource::exists)
			.satisfies((imports) -> assertThat(imports.getContentAsString(StandardCharsets.UTF_8)).contains(
					RateLimitWebFluxAutoConfiguration.class.getName(), RateLimitWebAutoConfiguration.class.getName(),
					RateLimitAspectAutoConfiguration.class.getName(), RateLimitAutoConfiguration.class.getName()));
	}

	@Test
	void followsTheWebFluxConfigurationOfEitherLine() {
		assertThat(MergedAnnotations.from(RateLimitWebFluxAutoConfiguration.class)
			.get(AutoConfiguration.class)
			.getStringArray("afterName"))
			.containsExactly("org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration",
					WebFluxAutoConfiguration.class.getName());
	}

}
