package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.web.RateLimitProblem;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.servlet.ExceptionHandlers.FirstThrowableAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingAdvice;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications that configure Spring MVC in their own way.
 */
class ApplicationVariationTests {

	@Test
	void needsNoJsonConverter() {
		try (TestServer server = TestServer.start(FailingController.class, TextOnlyConfiguration.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/future/EXCEEDED", "Accept", "application/json"));
		}
	}

	@Test
	void worksBesideTheProblemDetailsOfSpring() {
		try (TestServer server = TestServer.start(Map.of("spring.mvc.problemdetails.enabled", true),
				FailingController.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/plain/EXCEEDED"));
		}
	}

	@Test
	void worksBesideADetailedErrorPage() {
		try (TestServer server = TestServer.start(
				Map.of("server.error.include-stacktrace", "always", "spring.web.error.include-stacktrace", "always"),
				FailingController.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/plain/EXCEEDED", "Accept", "text/html"));
		}
	}

	@Test
	void worksWhereTheApplicationEnablesWebMvcItself() {
		try (TestServer server = TestServer.start(FailingController.class, EnableWebMvcConfiguration.class,
				FirstThrowableAdvice.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/plain/EXCEEDED"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/function", "/async-function" })
	void answersFunctionalRoutes(String path) {
		try (TestServer server = TestServer.start(RouterConfiguration.class, FirstThrowableAdvice.class)) {
			ProblemOverHttpTests.assertProblem(server.get(path));
		}
	}

	@Test
	void leavesFunctionalRoutesToANamingHandler() {
		try (TestServer server = TestServer.start(RouterConfiguration.class, FirstThrowableAdvice.class,
				NamingAdvice.class)) {
			assertThat(server.get("/function").body()).isEqualTo("namingexport");
		}
	}

	@Test
	void leavesFunctionalRoutesThatHandleTheirErrorsAlone() {
		try (TestServer server = TestServer.start(RouterConfiguration.class)) {
			assertThat(server.get("/handled-function").body()).isEqualTo("handled by the route");
		}
	}

	@Test
	void answersRequestHandlers() {
		try (TestServer server = TestServer.start(RequestHandlerConfiguration.class, NamingAdvice.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/request-handler"));
		}
	}

	@Test
	void answersRefusalsOfInterceptors() {
		try (TestServer server = TestServer.start(FailingController.class, InterceptorConfiguration.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/plain/EXCEEDED"));
		}
	}

	@Test
	void answersForControllersBehindInterfaceProxies() {
		try (TestServer server = TestServer.start(ProxiedControllerConfiguration.class)) {
			ProblemOverHttpTests.assertProblem(server.get("/proxied"));
		}
	}

	@Test
	void leavesControllersBehindInterfaceProxiesToTheirNamingHandler() {
		try (TestServer server = TestServer.start(ProxiedControllerConfiguration.class, FirstThrowableAdvice.class,
				NamingAdviceForTheTarget.class)) {
			assertThat(server.get("/proxied").body()).isEqualTo("namingexport");
		}
	}

	@Test
	void answersWithTheProblemOfTheApplicationsMapper() {
		try (TestServer server = TestServer.start(FailingController.class, MapperConfiguration.class)) {
			assertThat(server.get("/plain/EXCEEDED").statusCode()).isEqualTo(420);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class TextOnlyConfiguration implements WebMvcConfigurer {

		@Override
		@SuppressWarnings({ "deprecation", "removal" })
		public void configureMessageConverters(List<HttpMessageConverter<?>> converters) {
			converters.add(new StringHttpMessageConverter());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class EnableWebMvcConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class RouterConfiguration {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route().GET("/function", (request) -> {
				throw Failure.EXCEEDED.exception;
			}).GET("/async-function", (request) -> ServerResponse.async(CompletableFuture.supplyAsync(() -> {
				throw Failure.EXCEEDED.exception;
			}))).build();
		}

		@Bean
		RouterFunction<ServerResponse> handledRoutes() {
			return RouterFunctions.route().GET("/handled-function", (request) -> {
				throw Failure.EXCEEDED.exception;
			}).onError(Exception.class, (ex, request) -> ServerResponse.ok().body("handled by the route")).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RequestHandlerConfiguration {

		@Bean("/request-handler")
		HttpRequestHandler requestHandler() {
			return (request, response) -> {
				throw Failure.EXCEEDED.exception;
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterceptorConfiguration implements WebMvcConfigurer {

		@Override
		public void addInterceptors(InterceptorRegistry registry) {
			registry.addInterceptor(new HandlerInterceptor() {

				@Override
				public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
					throw Failure.EXCEEDED.exception;
				}

			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedControllerConfiguration {

		@Bean
		Api api() {
			return (Api) new ProxyFactory(new Target()).getProxy();
		}

	}

	@RestController
	interface Api {

		@GetMapping("/proxied")
		String get();

	}

	static class Target implements Api {

		@Override
		public String get() {
			throw Failure.EXCEEDED.exception;
		}

	}

	@RestControllerAdvice(assignableTypes = Target.class)
	static class NamingAdviceForTheTarget extends NamingAdvice {

	}

	@Configuration(proxyBeanMethods = false)
	static class MapperConfiguration {

		@Bean
		RateLimitProblemMapper problemMapper() {
			return (failure) -> new RateLimitProblem(420, "about:blank", "Calm", "Calm down.", List.of(), null);
		}

	}

}
