package dev.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.servlet.RateLimitWebMvcConfigurer;
import dev.ratelimit.web.servlet.ServletCallContextSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.servlet.DispatcherServlet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitWebMvcAutoConfiguration}.
 */
class RateLimitWebMvcAutoConfigurationTests {

	private static final AutoConfigurations TESTED = AutoConfigurations.of(RateLimitWebMvcAutoConfiguration.class,
			RateLimitWebAutoConfiguration.class);

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(TESTED);

	@Test
	void configuresSpringMvc() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RateLimitWebMvcConfigurer.class)
			.hasSingleBean(RateLimitProblemMapper.class));
	}

	@Test
	void staysActiveWhereLimitsAreOff() {
		this.runner.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RateLimitWebMvcConfigurer.class));
	}

	@Test
	void backsOffFromTheMapperOfTheApplication() {
		RateLimitProblemMapper mapper = RateLimitProblemMapper.standard();
		this.runner.withBean("theirs", RateLimitProblemMapper.class, () -> mapper)
			.run((context) -> assertThat(context).getBean(RateLimitProblemMapper.class).isSameAs(mapper));
	}

	@Test
	void knowsTheCallersOfServletRequests() {
		this.runner.run((context) -> assertThat(context).getBean(CallContext.Source.class)
			.isInstanceOf(ServletCallContextSource.class));
	}

	@Test
	void backsOffFromTheSourceOfTheApplication() {
		CallContext.Source source = () -> null;
		this.runner.withBean("theirs", CallContext.Source.class, () -> source)
			.run((context) -> assertThat(context).getBean(CallContext.Source.class).isSameAs(source));
	}

	@Test
	void backsOffWithoutSpringMvc() {
		this.runner.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitWebMvcConfigurer.class));
	}

	@Test
	void backsOffWithoutAnyWebLibrary() {
		new ApplicationContextRunner().withConfiguration(TESTED)
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http", "jakarta"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitProblemMapper.class));
	}

	@Test
	void backsOffInAnApplicationWithoutWeb() {
		new ApplicationContextRunner().withConfiguration(TESTED)
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitProblemMapper.class));
	}

	@Test
	void isFoundByEveryApplication() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(RateLimitWebMvcAutoConfiguration.class.getName(), RateLimitWebAutoConfiguration.class.getName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureWebMvc",
			"org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureWebMvc" })
	void isFoundByTheMvcSliceOfEitherLine(String annotation) {
		assertThat(new ClassPathResource("META-INF/spring/" + annotation + ".imports"))
			.returns(true, ClassPathResource::exists)
			.satisfies((imports) -> assertThat(imports.getContentAsString(StandardCharsets.UTF_8)).contains(
					RateLimitWebMvcAutoConfiguration.class.getName(), RateLimitWebAutoConfiguration.class.getName()));
	}

	@Test
	void followsTheMvcConfigurationOfEitherLine() {
		assertThat(MergedAnnotations.from(RateLimitWebMvcAutoConfiguration.class)
			.get(AutoConfiguration.class)
			.getStringArray("afterName"))
			.containsExactly("org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration",
					WebMvcAutoConfiguration.class.getName());
	}

}
