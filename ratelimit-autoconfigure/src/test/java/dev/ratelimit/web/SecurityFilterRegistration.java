package dev.ratelimit.web;

import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts the filter of Spring Security where Spring Boot does.
 */
@Configuration(proxyBeanMethods = false)
class SecurityFilterRegistration {

	@Bean
	DelegatingFilterProxyRegistrationBean securityFilter() {
		DelegatingFilterProxyRegistrationBean registration = new DelegatingFilterProxyRegistrationBean(
				"springSecurityFilterChain");
		registration.setOrder(-100);
		return registration;
	}

}
